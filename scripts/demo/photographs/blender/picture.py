"""Renders one picture with Blender's Cycles: blender --background --factory-startup --python picture.py -- SCENE.json"""

import json
import os
import sys
from math import atan2, cos, radians, sin, sqrt

import bpy

sys.dont_write_bytecode = True
sys.path.append(os.path.dirname(os.path.abspath(__file__)))
import device as devices  # noqa: E402
import materials as paint  # noqa: E402
import patterns  # noqa: E402
import things  # noqa: E402
from develop import develop  # noqa: E402
from mathutils import Matrix, Vector  # noqa: E402


def main(file):
    with open(file) as text:
        description = json.load(text)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    seed = description["seed"]
    set_light(description["light"])
    table(description["table"], seed, description["textures"])
    target = lay(description["device"], description["pose"], description["screen"], seed)
    for other in description.get("others", []):
        lay(other["device"], other["pose"], other["screen"], seed + 1)
    for thing in description["things"]:
        arguments = dict(thing)
        things.kinds[arguments.pop("kind")](**arguments)
    set_camera(description["camera"], target)
    develop(scene, description)


def set_light(light):
    world = bpy.data.worlds.new("room")
    bpy.context.scene.world = world
    world.use_nodes = True
    nodes, links = world.node_tree.nodes, world.node_tree.links
    around = nodes.new("ShaderNodeTexEnvironment")
    around.image = paint.image("room", patterns.room(light["evening"]))
    turn = nodes.new("ShaderNodeMapping")
    turn.inputs["Rotation"].default_value = (0, 0, radians(light["turn"]))
    links.new(nodes.new("ShaderNodeTexCoord").outputs["Generated"], turn.inputs["Vector"])
    links.new(turn.outputs[0], around.inputs["Vector"])
    links.new(around.outputs[0], nodes["Background"].inputs["Color"])
    if light.get("sun"):
        shine(light["sun"])
    world.cycles.sampling_method = "MANUAL"
    world.cycles.sample_map_resolution = 1024


def shine(sun):
    """Sunlight that falls through a window with bars."""
    lamp = bpy.data.lights.new("sun", "SUN")
    lamp.energy, lamp.angle, lamp.color = sun["strength"], radians(0.6), (1.0, 0.86, 0.68)
    thing = bpy.data.objects.new("sun", lamp)
    bpy.context.scene.collection.objects.link(thing)
    thing.rotation_euler = (radians(90 - sun["elevation"]), 0, radians(sun["azimuth"]))
    bpy.context.view_layer.update()
    far = thing.matrix_world.to_quaternion() @ Vector((0, 0, 120))
    across, high = sun["paneCm"]
    x, y = sun["at"]
    wall = paint.plain("wall", "#c9c4ba", 0.9)
    panes = [(-500, -across - 1.5, -500, 500), (across + 1.5, 500, -500, 500), (-1.5, 1.5, -high, high), (-across - 1.5, across + 1.5, high, 500), (-across - 1.5, across + 1.5, -500, -high)]
    for left, right, bottom, top in panes:
        points = [(left, bottom, 0), (right, bottom, 0), (right, top, 0), (left, top, 0)]
        blind = devices.make("blind", points, [(0, 1, 2, 3)], wall)
        blind.matrix_world = Matrix.Translation(far + Vector((x, y, 0))) @ thing.matrix_world.to_quaternion().to_matrix().to_4x4()
        blind.visible_camera = blind.visible_glossy = blind.visible_diffuse = False


def table(kind, seed, folder):
    if kind.get("folds"):
        bed(kind, seed, folder)
        return
    top = devices.slab("table", *kind.get("tableCm", [130, 80]), 1.0, devices.fillet(-3, 0, 0.3), paint.surface(kind, folder), 8)
    top.location = (*kind.get("at", [0, 12]), 0)


def bed(kind, seed, folder):
    """A spread with folds, flat where the device lies."""
    size, count = 110, 440
    folds = patterns.noise(seed, (512, 512), 2.1)[:count + 1, :count + 1] * 0.9
    step = size / count
    points = []
    for row in range(count + 1):
        for column in range(count + 1):
            x, y = column * step - size / 2, row * step - size / 2 + 12
            calm = min(1.0, max(0.0, (sqrt((x / 7.5) ** 2 + (y / 11) ** 2) - 0.55) / 1.6))
            points.append((x, y, float(folds[row, column]) * calm * kind["folds"] - 0.12 + 0.12 * (1 - calm)))
    across = count + 1
    faces = [(r * across + c, r * across + c + 1, (r + 1) * across + c + 1, (r + 1) * across + c) for r in range(count) for c in range(count)]
    devices.make("bed", points, faces, paint.surface(kind, folder), 80)


def lay(device, pose, screen, seed):
    """Lays a device on the table. Returns the point of its body that the camera looks at."""
    root = devices.build(device, screen, seed)
    depth, bump = device["depthMm"] * 0.1, device["bumpCm"]
    height = device["heightMm"] * 0.1
    turn = Matrix.Rotation(radians(pose.get("turn", 0)), 4, "Z")
    side = pose["side"]
    place = Matrix.Translation((pose.get("x", 0), pose.get("y", 0), pose.get("z", 0)))
    if side == "front":
        # The camera bump lifts the upper end.
        lean = Matrix.Rotation(atan2(bump, height * 0.85), 4, "X")
        matrix = place @ turn @ Matrix.Translation((0, 0, bump * 0.5)) @ lean
    elif side == "back":
        matrix = place @ turn @ Matrix.Translation((0, 0, depth + 0.02)) @ Matrix.Rotation(radians(180), 4, "Y")
    else:
        # Leaning against something: degrees from lying.
        lean = radians(pose.get("lean", 70))
        flip = Matrix.Rotation(radians(180 if pose.get("shows") == "back" else 0), 4, "Y")
        matrix = place @ turn @ Matrix.Rotation(lean, 4, "X") @ Matrix.Translation((0, height / 2, 0)) @ flip
    root.matrix_world = matrix
    return lambda point: matrix @ Vector((point[0] * device["widthMm"] * 0.05, point[1] * height / 2, point[2] * depth))


def set_camera(camera, target):
    data = bpy.data.cameras.new("camera")
    thing = bpy.data.objects.new("camera", data)
    bpy.context.scene.collection.objects.link(thing)
    bpy.context.scene.camera = thing
    look = target(camera["look"]) + Vector((*camera.get("off", [0, 0]), 0))
    elevation, azimuth, far = radians(camera["elevation"]), radians(camera["azimuth"]), camera["distance"]
    eye = look + far * Vector((cos(elevation) * sin(azimuth), -cos(elevation) * cos(azimuth), sin(elevation)))
    track = (look - eye).to_track_quat("-Z", "Y")
    thing.matrix_world = Matrix.Translation(eye) @ track.to_matrix().to_4x4() @ Matrix.Rotation(radians(camera["tilt"]), 4, "Z")
    data.sensor_width, data.sensor_fit = 36, "HORIZONTAL"
    wide, high = camera["size"]
    # 35 mm equivalent of the longer side.
    data.lens = camera["lensMm"] * max(1, high / wide)
    data.clip_start, data.clip_end = 0.1, 1000
    data.dof.use_dof = True
    focus = target(camera.get("focus", camera["look"]))
    data.dof.focus_distance = (focus - eye).dot((look - eye).normalized())
    data.dof.aperture_fstop = data.lens * 1e-3 / (2 * camera["apertureCm"])


main(sys.argv[sys.argv.index("--") + 1])
