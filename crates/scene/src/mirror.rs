//! Mirror images of bodies and of joint parameters.
//!
//! ```text
//! R = 1 − 2 n nᵀ          n is a world axis, c a point of the mirror plane
//! p' = c + R (p − c)      points         d' = R d        directions, velocities, axes
//! Q' = R Q R              rotations: (v, w) becomes (−R v, w); the body's own frame is mirrored by R too
//! x' = R x                points and directions in that frame
//! I' = R I R              inertias in that frame
//! w' = −R w               angular velocities
//! θ' = −θ                 angles about an axis d', which is mirrored as a direction
//! s' = R s, φ' = −R φ     slides and rotation vectors along and about axes of A, which are mirrored as a frame
//! ```
//! Boxes, spheres, capsules and cylinders are their own images; a hull's points are mirrored, and the places and turns
//! of a compound's parts.

use glam::{Quat, Vec3};

use super::types::{Body, Force, Inertia, Mover};
use delassus_physics::angle::Angle;
use delassus_physics::joints::{AngularServo, JointKind, Parameter, Role, RotationVector, SlideAxis, TurnAxis};
use delassus_physics::shape::{Shape, ShapePart};

/// A mirror plane, world frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mirror {
    /// One of the world's axes.
    pub normal: Vec3,
    /// A point of the plane, m.
    pub through: Vec3,
}

impl Mirror {
    /// The image of a direction, of a point in a body's own frame, or of a velocity.
    pub fn direction(&self, d: Vec3) -> Vec3 {
        // Adding zero turns a negative zero into a positive one.
        d - 2.0 * d.dot(self.normal) * self.normal + Vec3::ZERO
    }

    /// The number of the world's axis that is the normal.
    fn axis(&self) -> usize {
        (0..3).find(|k| self.normal[*k] != 0.0).unwrap_or(0)
    }

    /// Whether a joint of this kind has a mirror image: rows that are written down have one if they name no components
    /// and no places of the world.
    pub fn has_image(&self, kind: &JointKind) -> bool {
        if let JointKind::Formula(formula) = kind { formula.rows.mirrored(self.axis()).is_some() } else { true }
    }

    /// The image of a point of the world.
    pub fn point(&self, p: Vec3) -> Vec3 {
        // In this order the coordinate along the normal is rounded once, and the others keep their bits.
        self.direction(p) + 2.0 * self.through.dot(self.normal) * self.normal
    }

    /// The image of an angular velocity.
    pub fn axial(&self, w: Vec3) -> Vec3 {
        Vec3::ZERO - self.direction(w)
    }

    /// The image of a rotation, for a body whose own frame is mirrored too.
    pub fn rotation(&self, q: Quat) -> Quat {
        let v = self.axial(Vec3::new(q.x, q.y, q.z));
        Quat::from_xyzw(v.x, v.y, v.z, q.w)
    }

    /// The image of a shape, in its own frame.
    pub fn shape(&self, shape: &Shape) -> Shape {
        match shape {
            Shape::Hull { points } => Shape::Hull { points: points.iter().map(|p| self.direction(*p)).collect() },
            Shape::Compound { parts } => Shape::Compound { parts: parts.iter().map(|part| self.part(part)).collect() },
            // These are their own images.
            Shape::Box { .. } | Shape::Sphere { .. } | Shape::Capsule { .. } | Shape::Cylinder { .. } => shape.clone(),
        }
    }

    /// The image of a compound's part, whose own frame is mirrored too.
    fn part(&self, part: &ShapePart) -> ShapePart {
        let ShapePart { shape, at, rotation } = part;
        ShapePart {
            shape: self.shape(shape),
            at: self.direction(*at),
            rotation: rotation.quat().map_or(*rotation, |q| self.rotation(q).into()),
        }
    }

    /// The image of an inertia, in the mirrored frame: R I R, which changes the sign of the products with the normal.
    pub fn inertia(&self, inertia: Inertia) -> Inertia {
        let Inertia { xx, yy, zz, xy, xz, yz } = inertia;
        let [x, y, z] = self.normal.to_array().map(|v| if v == 0.0 { 1.0 } else { -1.0 });
        // Adding zero turns a negative zero into a positive one.
        Inertia { xx, yy, zz, xy: x * y * xy + 0.0, xz: x * z * xz + 0.0, yz: y * z * yz + 0.0 }
    }

    /// The image of a body.
    pub fn body(&self, body: &Body) -> Body {
        let mut mover = body.mover.clone();
        match &mut mover {
            Some(
                Mover::Constant { velocity, angular_velocity }
                | Mover::Sinusoid { velocity, angular_velocity, rate: _, phase: _ },
            ) => {
                (*velocity, *angular_velocity) = (self.direction(*velocity), self.axial(*angular_velocity));
            }
            Some(Mover::Waypoints { points, speed: _, repeat: _ }) => {
                points.iter_mut().for_each(|p| *p = self.point(*p))
            }
            None => {}
        }
        // Fields are listed by name so that a new field must be mirrored here.
        let Body {
            name,
            motion,
            mass,
            density,
            material,
            friction,
            restitution,
            rolling,
            soft,
            groups,
            mask,
            drag,
            ..
        } = body.clone();
        // The body's own frame is mirrored as the world is.
        let forces = (body.forces.iter().cloned()).map(|force| Force {
            force: self.direction(force.force),
            torque: self.axial(force.torque),
            at: force.at.map(|at| self.direction(at)),
            ..force
        });
        Body {
            shape: self.shape(&body.shape),
            at: self.point(body.at),
            rotation: body.rotation.quat().map_or(body.rotation, |q| self.rotation(q).into()),
            velocity: self.direction(body.velocity),
            angular_velocity: self.axial(body.angular_velocity),
            plane: body.plane.map(|normal| self.direction(normal)),
            mass_centre: body.mass_centre.map(|centre| self.direction(centre)),
            inertia: body.inertia.map(|inertia| self.inertia(inertia)),
            mover,
            forces: forces.collect(),
            drag,
            name,
            motion,
            mass,
            density,
            material,
            friction,
            restitution,
            rolling,
            soft,
            collide: body.collide,
            groups,
            mask,
            particle: body.particle,
        }
    }

    /// The image of a joint's kind: angles and angular speeds change sign, and the two stops are swapped. In a joint of six
    /// degrees of freedom the slide along the normal and the angles about the two axes in the plane do so.
    pub fn kind(&self, kind: &JointKind) -> JointKind {
        let mut image = *kind;
        let winds = matches!(kind, JointKind::Drum(_));
        let (mut slides, mut turns) = ([self.normal.x, self.normal.y, self.normal.z].into_iter(), 0);
        for Parameter { role, .. } in image.parameters() {
            match role {
                Role::SlideAxis(axis) => {
                    if let (Some(across), SlideAxis::Free { limit, servo }) = (slides.next(), axis)
                        && across != 0.0
                    {
                        *limit = limit.map(|(least, most)| (0.0 - most, 0.0 - least));
                        servo.iter_mut().for_each(|s| {
                            (s.target, s.offset) = (0.0 - s.target, 0.0 - s.offset);
                            (s.speed, s.force) = (0.0 - s.speed, 0.0 - s.force);
                        });
                    }
                }
                Role::TurnAxis(axis) => {
                    if let (true, TurnAxis::Free { limit, servo }) = (self.normal[turns] == 0.0, axis) {
                        *limit = limit.map(|(least, most)| (negative(most), negative(least)));
                        servo.iter_mut().for_each(turn_back);
                    }
                    turns += 1;
                }
                Role::Axes(vector) | Role::RotationZero(vector) => {
                    *vector = RotationVector::of(self.axial(vector.vector()) + Vec3::ZERO);
                }
                Role::AngleLimit(range) => *range = range.map(|(least, most)| (negative(most), negative(least))),
                Role::AngularMotor(mut motor) => motor.get_mut().into_iter().for_each(|m| m.speed = -m.speed),
                Role::AngleZero(zero) => *zero = negative(*zero),
                Role::AngularServo(servo) => servo.iter_mut().for_each(turn_back),
                Role::AngularSpring(spring) => spring.iter_mut().for_each(|s| s.angle = negative(s.angle)),
                // Slides and lengths are unchanged, and swing limits are symmetric.
                Role::SlideLimit(_) | Role::Swing(_) | Role::LinearMotor(_) | Role::LinearSpring(_) => {}
                Role::SlideZero(_) | Role::LinearServo(_) => {}
                Role::Length(_) | Role::SpringRate(_) | Role::Damping(_) => {}
                Role::Coefficient(_) | Role::HingeForm(_) | Role::OrientationForm(_) => {}
                // The image of a right-hand thread is a left-hand one; that of a wheel has its radius.
                Role::Lead(lead) => *lead = -*lead,
                Role::Radius(_) if !winds => {}
                // The image of a drum that winds up by turns about its axis winds up by turns against it.
                Role::Radius(radius) => *radius = -*radius,
                Role::Place(point) => *point = self.point(*point),
                // The image of a cam has its radii in the opposite order.
                Role::Profile(profile) => *profile = profile.mirrored(),
                Role::Wrap(_) | Role::Switch(_) => {}
                // If rows have no image, the tools have refused to mirror them before.
                Role::Rows(rows) => *rows = rows.mirrored(self.axis()).unwrap_or(*rows),
                Role::Bounds(_) | Role::Values(_) => {}
            }
        }
        image
    }
}

fn turn_back(servo: &mut AngularServo) {
    (servo.target, servo.offset) = (negative(servo.target), negative(servo.offset));
    (servo.speed, servo.torque) = (0.0 - servo.speed, 0.0 - servo.torque);
}

fn negative(angle: Angle) -> Angle {
    Angle::radians(0.0 - angle.radians)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mirrored body's kinetic energy ½ ω'·I' ω' is that of the body, for any angular velocity in its own axes.
    #[test]
    fn an_inertia_s_image_has_the_same_energy() {
        let inertia = Inertia { xx: 1.0, yy: 2.0, zz: 2.5, xy: 0.3, xz: -0.2, yz: 0.1 };
        let spin = Vec3::new(0.4, -1.2, 0.7);
        for normal in [Vec3::X, Vec3::Y, Vec3::Z] {
            let mirror = Mirror { normal, through: Vec3::ZERO };
            let (image, turned) = (mirror.inertia(inertia), mirror.axial(spin));
            let energy = |inertia: Inertia, spin: Vec3| 0.5 * spin.dot(inertia.matrix() * spin);
            assert!((energy(image, turned) - energy(inertia, spin)).abs() < 1e-6, "{normal}");
            assert_ne!(image, inertia);
            assert_eq!(mirror.inertia(image), inertia, "twice is not at all");
        }
    }

    /// Other coordinates keep their bits: 0.3 does not become 0.29999998.
    #[test]
    fn points_keep_their_coordinates_along_the_plane() {
        let mirror = Mirror { normal: Vec3::X, through: Vec3::new(0.25, 0.7, 12.3) };
        assert_eq!(mirror.point(Vec3::new(0.75, 0.3, 1.1)), Vec3::new(-0.25, 0.3, 1.1));
    }

    /// The image of a right-hand thread is a left-hand one; gears keep their radii.
    #[test]
    fn a_thread_s_image_has_the_other_hand() {
        use delassus_physics::joints::{Gear, Screw};
        let mirror = Mirror { normal: Vec3::X, through: Vec3::ZERO };
        let JointKind::Screw(image) = mirror.kind(&JointKind::Screw(Screw { lead: 0.3, ..Screw::default() })) else {
            panic!("it is a screw")
        };
        assert_eq!(image.lead, -0.3);
        let gear = JointKind::Gear(Gear { radius_a: 0.3, radius_b: -0.7 });
        assert_eq!(mirror.kind(&gear), gear);
    }

    #[test]
    fn a_rotation_s_image_turns_the_image_of_a_point_into_the_image_of_the_turned_point() {
        let q = Quat::from_euler(glam::EulerRot::XYZ, 0.3, -1.1, 2.0);
        for normal in [Vec3::X, Vec3::Y, Vec3::Z] {
            let mirror = Mirror { normal, through: Vec3::new(1.0, 2.0, 3.0) };
            let x = Vec3::new(0.2, -0.7, 1.3);
            let image = mirror.rotation(q) * mirror.direction(x);
            assert!(image.distance(mirror.direction(q * x)) < 1e-6, "{normal}");
            assert!(mirror.point(mirror.point(x)).distance(x) < 1e-6, "twice is not at all");
        }
    }
}
