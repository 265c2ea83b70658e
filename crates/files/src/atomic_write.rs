//! Files that are written whole beside their place and then take it.

/// Makes files that will take another one's place, as open to others as any new file.
pub fn builder<'a>() -> tempfile::Builder<'a, 'a> {
    let builder = tempfile::Builder::new();
    #[cfg(unix)]
    let builder = {
        // What the process's mask leaves of it.
        use std::os::unix::fs::PermissionsExt;
        let mut builder = builder;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
        builder
    };
    builder
}
