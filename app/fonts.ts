import localFont from 'next/font/local'

// Next evaluates these calls statically, so every option is a literal. The first two fonts cover most pages.
// The others load only on pages with characters of their range, and come first in `--font-sans` so that these
// are found there.

const sans = localFont({
  src: '../node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2',
  variable: '--font-geist',
  weight: '100 900',
})

const mono = localFont({
  src: '../node_modules/@fontsource/geist-mono/files/geist-mono-latin-400-normal.woff2',
  variable: '--font-geist-mono',
  weight: '400',
  // If the font arrives late, the system's font stays, so that a column of addresses does not shift while it
  // is read.
  display: 'optional',
  preload: false,
})

const latinExtended = localFont({
  src: '../node_modules/@fontsource-variable/geist/files/geist-latin-ext-wght-normal.woff2',
  variable: '--font-geist-latin-extended',
  weight: '100 900',
  preload: false,
  adjustFontFallback: false,
  declarations: [
    {
      prop: 'unicode-range',
      value:
        'U+0100-0130, U+0132-0151, U+0154-02BA, U+02BD-02C5, U+02C7-02CC, U+02CE-02D7, U+02DD-02FF, U+1E00-1E9F, U+20A0-20AB, U+20AD-20C0, U+2113, U+2C60-2C7F, U+A720-A7FF',
    },
  ],
})

const cyrillic = localFont({
  src: '../node_modules/@fontsource-variable/geist/files/geist-cyrillic-wght-normal.woff2',
  variable: '--font-geist-cyrillic',
  weight: '100 900',
  preload: false,
  adjustFontFallback: false,
  declarations: [{ prop: 'unicode-range', value: 'U+0400-045F, U+0490-0491, U+04B0-04B1, U+2116' }],
})

const vietnamese = localFont({
  src: '../node_modules/@fontsource-variable/geist/files/geist-vietnamese-wght-normal.woff2',
  variable: '--font-geist-vietnamese',
  weight: '100 900',
  preload: false,
  adjustFontFallback: false,
  declarations: [
    {
      prop: 'unicode-range',
      value: 'U+01A0-01A1, U+01AF-01B0, U+0300-0301, U+0303-0304, U+0308-0309, U+0323, U+1EA0-1EF9, U+20AB',
    },
  ],
})

/** The CSS variables that `globals.css` uses. */
export const fontVariables = [sans, mono, latinExtended, cyrillic, vietnamese]
  .map(({ variable }) => variable)
  .join(' ')
