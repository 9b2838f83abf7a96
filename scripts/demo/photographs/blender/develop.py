"""Renders the scene, removes the noise of few samples, and develops it as a small camera does."""

import os

import bpy
import numpy as np
import patterns

PASSES = {"Image": "light", "DiffCol": "color", "GlossCol": "sheen", "Normal": "normal", "Emit": "glow"}


def develop(scene, description):
    camera, quality, seed = description["camera"], description["quality"], description["seed"]
    folder = description["folder"]
    set_up(scene, camera["size"], quality, seed)
    layers = output_passes(scene, folder)
    bpy.ops.render.render()
    light, color, sheen, normal, glow = (read(os.path.join(folder, f"{name}0001.exr")) for name in layers)
    # What shines by itself, a screen, has no noise.
    light = denoise(light - glow, color + sheen, normal) + glow
    light = expose(light, camera, seed)
    save(scene, light, description["output"])


def set_up(scene, size, quality, seed):
    scene.render.engine = "CYCLES"
    scene.render.resolution_x, scene.render.resolution_y = [round(side * quality["scale"]) for side in size]
    scene.render.resolution_percentage = 100
    scene.view_settings.view_transform = "Filmic"
    scene.view_settings.look = "High Contrast"
    cycles = scene.cycles
    cycles.device, cycles.seed = "CPU", seed
    cycles.samples, cycles.use_adaptive_sampling = quality["samples"], True
    cycles.adaptive_threshold, cycles.adaptive_min_samples = quality["threshold"], 8
    cycles.use_denoising = False
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 5, 2, 3
    cycles.transmission_bounces, cycles.transparent_max_bounces = 2, 4
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_indirect, cycles.sample_clamp_direct = 3.0, 24.0
    cycles.blur_glossy = 0.6
    scene.render.use_persistent_data = False
    scene.render.threads_mode = "AUTO"


def output_passes(scene, folder):
    layer = scene.view_layers[0]
    layer.use_pass_diffuse_color = layer.use_pass_glossy_color = layer.use_pass_normal = layer.use_pass_emit = True
    scene.use_nodes = True
    nodes, links = scene.node_tree.nodes, scene.node_tree.links
    nodes.clear()
    source = nodes.new("CompositorNodeRLayers")
    target = nodes.new("CompositorNodeOutputFile")
    target.base_path = folder
    target.format.file_format, target.format.color_depth = "OPEN_EXR", "32"
    target.file_slots.clear()
    for socket, name in PASSES.items():
        target.file_slots.new(name)
        links.new(source.outputs[socket], target.inputs[name])
    return list(PASSES.values())


def read(file):
    image = bpy.data.images.load(file)
    width, height = image.size
    pixels = np.empty(width * height * 4, dtype=np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    return pixels.reshape(height, width, 4)[..., :3]


def denoise(light, color, normal, reach=4):
    """A cross bilateral filter of the light without the color of surfaces, which keeps what textures show."""
    albedo = np.clip(color, 0.03, None)
    flat = np.log1p(np.clip(light, 0, None) / albedo)
    guide = blur(np.concatenate([color * 6, normal * 2.2], axis=2), 1)
    total = np.zeros_like(flat)
    weights = np.zeros(flat.shape[:2] + (1,), dtype=np.float32)
    pilot = blur(flat, 1)
    pad = [(reach, reach), (reach, reach), (0, 0)]
    flat_p, guide_p, pilot_p = (np.pad(field, pad, mode="edge") for field in (flat, guide, pilot))
    height, width = flat.shape[:2]
    for dy in range(-reach, reach + 1):
        for dx in range(-reach, reach + 1):
            if dx * dx + dy * dy > reach * reach + 1:
                continue
            view = (slice(reach + dy, reach + dy + height), slice(reach + dx, reach + dx + width))
            apart = ((guide_p[view] - guide) ** 2).sum(axis=2)
            tone = ((pilot_p[view] - pilot) ** 2).sum(axis=2)
            spread = 0.012 + 0.012 * pilot.sum(axis=2)
            weight = np.exp(-apart / 0.06 - tone / spread**1 * 1.1 - (dx * dx + dy * dy) / (reach * reach))[..., None].astype(np.float32)
            total += flat_p[view] * weight
            weights += weight
    return np.expm1(total / weights) * albedo


def blur(field, radius):
    for axis in (0, 1):
        field = sum(np.roll(field, step, axis) for step in range(-radius, radius + 1)) / (2 * radius + 1)
    return field


def expose(light, camera, seed):
    """White balance, exposure, the lens's falloff and grain."""
    height, width = light.shape[:2]
    y, x = np.mgrid[0:height, 0:width]
    r2 = ((x / width - 0.5) ** 2 + ((y / height - 0.5) * height / width) ** 2) * 4
    light = light * (1 - camera["vignette"] * r2)[..., None]
    light = light * np.array(camera["balance"], dtype=np.float32) * 2 ** camera["exposure"]
    # Small cameras show colors stronger than they are.
    gray = light @ np.array([0.21, 0.72, 0.07], dtype=np.float32)
    light = np.clip(gray[..., None] + 1.16 * (light - gray[..., None]), 0, None)
    # What is very bright bleeds a little.
    bright = np.clip(light - 1.2, 0, 4)
    for radius in (3, 6):
        bright = blur(bright, radius)
    light = light + 0.05 * bright
    tone = patterns.band(seed + 40, (height, width), 2.6, 0.6)
    hue = np.dstack([patterns.band(seed + 41 + at, (height, width), 5.0, 0.6) for at in range(3)])
    deviation = camera["grain"] * np.sqrt(np.clip(light, 0.0008, 4) + 0.004)
    return np.clip(light + deviation * (tone[..., None] + 0.3 * hue), 0, None)


def save(scene, light, file):
    height, width = light.shape[:2]
    image = bpy.data.images.new("developed", width, height, float_buffer=True)
    rgba = np.ones((height, width, 4), dtype=np.float32)
    rgba[..., :3] = light
    image.pixels.foreach_set(rgba.ravel())
    scene.render.image_settings.file_format, scene.render.image_settings.color_depth = "PNG", "8"
    scene.render.image_settings.color_mode = "RGB"
    image.save_render(file, scene=scene)
