type Rgb = readonly [red: number, green: number, blue: number]

/** WCAG 2.2, 1.4.3. */
const READABLE = 4.5
const WHITE: Rgb = [255, 255, 255]
const BLACK: Rgb = [0, 0, 0]
/** The dark theme's page background, and the lightest surface on it. */
const DARK: Rgb = [24, 25, 28]
const DARK_RAISED: Rgb = [36, 38, 43]
/** The darkest surface on the light theme's page. */
const LIGHT_HOVER: Rgb = [238, 240, 243]

const isHex = (text: string) => /^#[0-9a-f]{6}$/.test(text)

function toRgb(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16)
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255]
}

const toHex = (color: Rgb) => `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`

/** `share` of the second color, 0 to 1. */
const mix = ([red, green, blue]: Rgb, other: Rgb, share: number): Rgb => [
  Math.round(red + (other[0] - red) * share),
  Math.round(green + (other[1] - green) * share),
  Math.round(blue + (other[2] - blue) * share),
]

const toLinear = (part: number) => {
  const value = part / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

const luminance = ([red, green, blue]: Rgb) =>
  0.2126 * toLinear(red) + 0.7152 * toLinear(green) + 0.0722 * toLinear(blue)

function contrast(one: Rgb, other: Rgb): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

const STEPS = 255

/** The first color on the way to black or white that is readable on all of these backgrounds. */
function nearestReadable(color: Rgb, toward: Rgb, besides: readonly Rgb[]): Rgb {
  for (let step = 0; step < STEPS; step++) {
    const tried = mix(color, toward, step / STEPS)
    if (besides.every((other) => contrast(tried, other) >= READABLE)) return tried
  }
  return toward
}

/** Null if white text is readable on it; otherwise the nearest darker color on which it is. */
export function darkerAccent(hex: string): string | null {
  if (!isHex(hex)) return null
  const nearest = toHex(nearestReadable(toRgb(hex), BLACK, [WHITE]))
  return nearest === hex ? null : nearest
}

/** The style sheet's accent roles in both themes: accent-colored text is readable on every background it appears on. */
export function accentStyle(hex: string | null): Record<`--color-${string}`, string> {
  if (!hex || !isHex(hex)) return {}
  const accent = toRgb(hex)
  const [subtle, darkSubtle] = [mix(accent, WHITE, 0.92), mix(accent, DARK, 0.8)]
  const text = toHex(nearestReadable(accent, BLACK, [subtle, LIGHT_HOVER]))
  const darkText = toHex(nearestReadable(accent, WHITE, [darkSubtle, DARK_RAISED]))
  const both = (light: string, dark: string) => `light-dark(${light}, ${dark})`
  return {
    '--color-accent': hex,
    '--color-accent-hover': toHex(mix(accent, BLACK, 0.14)),
    '--color-on-accent': toHex(WHITE),
    '--color-accent-text': both(text, darkText),
    '--color-plot-1': both(text, darkText),
    // Whatever the accent's hue, it is never confused with grey.
    '--color-plot-2': 'var(--color-muted)',
    '--color-accent-subtle': both(toHex(subtle), toHex(darkSubtle)),
    '--color-accent-border': both(toHex(mix(accent, WHITE, 0.65)), toHex(mix(accent, DARK, 0.45))),
  }
}
