import { describe, expect, test } from 'vitest'
import { accentStyle, darkerAccent } from '#lib/domain/workspaces/accent'

/** The contrast ratio of WCAG 2.2, written independently from its text. */
function contrast(one: string, other: string): number {
  const luminance = (hex: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5]
      .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const levels = ['00', '33', '66', '99', 'cc', 'ff']
const COLORS = levels.flatMap((red) =>
  levels.flatMap((green) => levels.map((blue) => `#${red}${green}${blue}`)),
)

test.each([
  ['#000000', null],
  ['#2563eb', null],
  ['#0b6b52', null],
  ['#767676', null],
])('white text can be read on %s', (hex, nearest) => {
  expect(darkerAccent(hex)).toBe(nearest)
})

test.each(['#777777', '#ffff00', '#ff0000', '#ffffff'])('%s has a nearest darker colour', (hex) => {
  const nearest = darkerAccent(hex)
  expect(nearest).toMatch(/^#[0-9a-f]{6}$/)
  expect(contrast(nearest ?? '', '#ffffff')).toBeGreaterThanOrEqual(4.5)
  expect(contrast(nearest ?? '', '#ffffff')).toBeLessThan(4.7)
  expect(darkerAccent(nearest ?? '')).toBeNull()
})

describe('of every colour that is taken', () => {
  const taken = COLORS.map((hex) => darkerAccent(hex) ?? hex)

  test('there are many', () => {
    expect(new Set(taken).size).toBeGreaterThan(100)
  })

  test.each([
    { theme: 'light', index: 0, pages: ['#ffffff', '#f9fafb', '#eef0f3'] },
    { theme: 'dark', index: 1, pages: ['#0d0e11', '#18191c', '#24262b'] },
  ])('its text can be read on the $theme page, and on its own tint', ({ index, pages }) => {
    for (const hex of taken) {
      const style = accentStyle(hex)
      const shade = (name: string) => style[`--color-${name}`]?.match(/#[0-9a-f]{6}/g)?.[index] ?? ''
      const text = shade('accent-text')
      expect([hex, shade('plot-1')]).toEqual([hex, text])
      for (const page of [...pages, shade('accent-subtle')])
        expect([hex, text, page, contrast(text, page) >= 4.5]).toEqual([hex, text, page, true])
    }
  })
})

test.each([null, '', 'red', '#fff', '#0b6b52;color:red', 'url(x)'])('%s styles nothing', (hex) => {
  expect(accentStyle(hex)).toEqual({})
})
