// node tools/common-passwords.ts passwords.json: writes lib/domain/workspaces/common-passwords.ts, the filter of the most common
// passwords. The list is package/src/passwords.json in `npm pack @zxcvbn-ts/language-common@4.1.3` (MIT). Its words come from
// leaks; the filter contains none of them literally.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { makeFilter } from '#lib/domain/workspaces/password-filter'

const EXPECTED = 'f422773d94d630f27e08b26d7017e847bb1feb2a84809340e9c0b0c47b33e3f1'
const TO = path.resolve(import.meta.dirname, '../lib/domain/workspaces/common-passwords.ts')
/** Shorter words are too short for a password, and mean nothing inside another word. */
const SHORTEST = 4
const WIDTH = 100

const bytes = readFileSync(process.argv[2] ?? 'passwords.json')
const digest = createHash('sha256').update(bytes).digest('hex')
if (digest !== EXPECTED) {
  console.error(`That is another list (SHA-256 ${digest}). Look at it, then name it here.`)
  process.exit(1)
}
const list: string[] = JSON.parse(bytes.toString())
const words = [...new Set(list.map((word) => word.toLowerCase()))].filter((word) => word.length >= SHORTEST)
const text = Buffer.from(makeFilter(words)).toString('base64')
const lines = Array.from({ length: Math.ceil(text.length / WIDTH) }, (_, index) =>
  text.slice(index * WIDTH, (index + 1) * WIDTH),
)
writeFileSync(
  TO,
  `/**
 * Made by tools/common-passwords.ts from ${words.length} of the commonest passwords: the list of @zxcvbn-ts/language-common 4.1.3,
 * Copyright (c) 2012-2016 Dan Wheeler and Dropbox, Inc., Copyright (c) 2021 @zxcvbn-ts, MIT licence. A filter in base64.
 */
export const COMMON_PASSWORDS = \`
${lines.join('\n')}
\`
`,
)
console.log(`${words.length} words.`)
