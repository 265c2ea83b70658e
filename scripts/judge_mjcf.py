"""Runs a model in MuJoCo and prints where its bodies are.

    python3 scripts/judge_mjcf.py MODEL.xml SECONDS EVERY STEP

starts from the keyframe `start`, integrates with Runge-Kutta of fourth order at STEP seconds, and prints a line for each
moving body every EVERY seconds, the beginning included:

    time <tab> name <tab> x y z <tab> w x y z

the centre of mass, m, and the rotation from the axes of the body, in the world's frame. The test `judge` of
`crates/import` compares these with Delassus. Contacts are off: the scenes that it judges have none.
"""

import sys

import mujoco


def main():
    path, seconds, every, step = sys.argv[1], *map(float, sys.argv[2:5])
    model = mujoco.MjModel.from_xml_path(path)
    model.opt.timestep = step
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    # Constraints are solved to rounding: what is compared is the model, not the tolerance of a solver.
    model.opt.iterations, model.opt.tolerance = 100, 1e-14
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, model.key("start").id)
    mujoco.mj_forward(model, data)
    for sample in range(round(seconds / every) + 1):
        while round(data.time / step) < round(sample * every / step):
            mujoco.mj_step(model, data)
        # A step of Runge-Kutta leaves the poses of its last stage.
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        for body in range(1, model.nbody):
            if model.body_weldid[body] == 0:
                continue
            numbers = lambda list: " ".join(repr(float(x)) for x in list)
            place, turn = numbers(data.xipos[body]), numbers(data.xquat[body])
            print(f"{sample * every!r}\t{model.body(body).name}\t{place}\t{turn}")


main()
