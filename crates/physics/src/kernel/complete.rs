//! Rows that store their whole jacobian and M⁻¹ Jᵀ: a single one of the list, and four side by side.

/// Implements [`SolverRow`](super::row::SolverRow) and [`CorrectedRow`](super::split::CorrectedRow) for a row whose
/// fields have the names of [`Row`](crate::row::Row); with `net` for rows of which the world may bear a share.
macro_rules! complete_row {
    ($row:ty, $number:ty $(, $net:ident)?) => {
        impl $crate::kernel::row::SolverRow for $row {
            type Number = $number;
            type Shared = ();

            #[inline(always)]
            fn speed(
                &self,
                (): (),
                a: &$crate::kernel::bodies::Velocities<$number>,
                b: &$crate::kernel::bodies::Velocities<$number>,
            ) -> $number {
                let along = $crate::kernel::row::speed_along(self.lin, (self.ang_a, self.ang_b), a, b);
                $(let along = along + self.$net.dot(a.linear);)?
                along
            }

            #[inline(always)]
            fn apply(&self, (): (), to: &mut $crate::kernel::bodies::Pair<$number>, lambda: $number) {
                let (inv_m, inv_i) = ((self.inv_ma, self.inv_mb), (self.inv_ia, self.inv_ib));
                $crate::kernel::row::apply_along(self.lin, inv_m, inv_i, to, lambda);
                $(to.a.linear += self.$net * (self.inv_ma * lambda);)?
            }

            #[inline(always)]
            fn inv_k(&self) -> $number {
                self.inv_k
            }

            #[inline(always)]
            fn bias(&self) -> $number {
                self.bias
            }

            #[inline(always)]
            fn gamma(&self) -> $number {
                self.gamma
            }

            #[inline(always)]
            fn impulse(&self) -> $number {
                self.impulse
            }

            #[inline(always)]
            fn set_impulse(&mut self, impulse: $number) {
                self.impulse = impulse;
            }

            #[inline(always)]
            fn clamp(&self, impulse: $number) -> $number {
                use $crate::kernel::real::Real;
                impulse.larger(self.lo).smaller(self.hi)
            }

            #[inline(always)]
            fn bound(&mut self, limit: $number) {
                (self.lo, self.hi) = (-limit, limit);
            }
        }

        impl $crate::kernel::split::CorrectedRow for $row {
            #[inline(always)]
            fn pseudo_bias(&self) -> $number {
                self.pseudo_bias
            }

            #[inline(always)]
            fn pseudo_impulse(&self) -> $number {
                self.pseudo_impulse
            }

            #[inline(always)]
            fn set_pseudo_impulse(&mut self, impulse: $number) {
                self.pseudo_impulse = impulse;
            }
        }

        impl $row {
            /// The mean of a contact's normals.
            #[inline(always)]
            pub(crate) fn mean(rows: &[Self]) -> $crate::kernel::mean::MeanRow<$number> {
                use $crate::kernel::mean::{Arms, MeanRow};
                let Some(first) = rows.first() else { return MeanRow::default() };
                let Self { lin, inv_ma, inv_mb, .. } = *first;
                let arms = |row: &Self| {
                    let Self { ang_a, ang_b, inv_ia, inv_ib, .. } = *row;
                    Arms { ang_a, ang_b, inv_ia, inv_ib }
                };
                MeanRow { lin, inv_m: (inv_ma, inv_mb), arms: Arms::mean(rows.iter().map(arms)) }
            }
        }
    };
}
pub(crate) use complete_row;
