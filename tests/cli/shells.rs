//! Completions and manual pages.

use super::Folder;

#[test]
fn shells_complete_every_command() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = folder.out(&["completions", shell]);
        for word in ["doctor", "sweep", "ledger", "export", "scenes", "experiment", "fail-if"] {
            assert!(script.contains(word), "{shell} does not complete {word}");
        }
    }
    assert!(folder.refused(&["completions", "cmd"], 2).contains("powershell"));
}

#[test]
fn the_manual_has_the_commands_and_the_exit_codes() {
    let folder = Folder::new();
    let page = folder.out(&["man"]);
    assert!(page.contains(".TH delassus 1") && page.contains("doctor") && page.contains("Exit codes"), "{page}");
    let page = folder.out(&["man", "run"]);
    assert!(page.contains("fail\\-if") && page.contains(".TH delassus"), "{page}");
    let page = folder.out(&["man", "list"]);
    assert!(page.contains("DELASSUS_SCENES") && page.contains("built\\-in:NAME"), "{page}");
    assert!(folder.refused(&["man", "rnu"], 2).contains("no command `rnu`"));
}
