import * as fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { contracts } from '#lib/contracts/all'
import { EVENT_TYPES } from '#lib/contracts/telling/webhook-events'
import { INTENTS } from '#lib/domain/inbox/intent/intents'
import { SENDER_CAUSES } from '#lib/domain/sending/sender-failures'
import { RESOURCES } from '#lib/domain/workspaces/key-permissions'
import { ROLES } from '#lib/domain/workspaces/roles'
import { Env } from '#lib/env'
import { ROOT, sources } from '#tests/support/code/source-files'

const inDocs = fs.readdirSync(path.join(ROOT, 'docs')).filter((name) => name.endsWith('.md'))
const guides = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...inDocs.map((name) => `docs/${name}`),
]
const decisions = fs.readdirSync(path.join(ROOT, 'docs/decisions')).map((name) => `docs/decisions/${name}`)
const textOf = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8')
const isThere = (file: string) => fs.existsSync(path.join(ROOT, file))
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found)

test('the index names every guide', () => {
  const index = textOf('docs/README.md')
  expect(inDocs.filter((name) => name !== 'README.md' && !index.includes(`(${name})`))).toEqual([])
})

test.each([...guides, ...decisions])('what %s links to is there', (file) => {
  const links = [...textOf(file).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)]
  const lost = links.filter(([, target = '', heading]) => {
    const linked = target === '' ? file : path.join(path.dirname(file), target)
    return !isThere(linked) || (heading !== undefined && !hasHeading(linked, heading))
  })
  expect(lost.map(([link]) => link)).toEqual([])
})

test.each(guides)('%s names only operations that exist', (file) => {
  const known = new Set(contracts.map(({ id }) => id))
  expect(all(textOf(file), /\bclient\.(\w+)\(/g).filter((id) => !known.has(id))).toEqual([])
})

/** A path as the guides write it: without base URL, query, parameter names and trailing slash. */
const toShape = (address: string) =>
  address
    .replace(/^\/api\/v1(?=\/)/, '')
    .replace(/\?.*$/, '')
    .replace(/(.)\/$/, '$1')
    .replace(/\{[^}]*\}/g, '{}')

/** Paths outside the API that guides name with a method; CONTRIBUTING.md shows how to add an operation with the last one. */
const OTHERS = ['/metrics', '/opener', '/api/inngest', '/campaigns/{}/archive']

test.each(guides)('%s names only endpoints that exist', (file) => {
  const known = new Set([...contracts.map(({ method, path }) => `${method} ${toShape(path)}`)])
  const named = [...textOf(file).matchAll(/\b(GET|POST|PUT|PATCH|DELETE)\s+(\/[\w/{}.-]+)/g)]
    .map(([, method = '', address = '']) => `${method} ${toShape(address.replace(/\.$/, ''))}`)
    .filter((named) => !OTHERS.some((other) => named.endsWith(` ${other}`)))
  expect(named.filter((one) => !known.has(one))).toEqual([])
})

test.each(guides)('curl of %s asks for what exists', (file) => {
  const known = new Set(contracts.map(({ path }) => toShape(path)))
  const asked = all(textOf(file), /\$(?:API|APP_URL\/api\/v1|BASE\/api\/v1)(\/[\w/${}.-]+)/g).map((address) =>
    toShape(address.replace(/\$\{?\w+\}?/g, '{}')),
  )
  expect(asked.filter((address) => !known.has(address))).toEqual([])
})

test.each(guides)('%s names only commands that exist', (file) => {
  const { scripts } = JSON.parse(textOf('package.json'))
  const named = all(textOf(file), /\bnpm run (?:-s )?([a-z][\w:-]*)/g)
  expect(named.filter((name) => !(name in scripts))).toEqual([])
})

test.each(guides)('%s names only files that exist', (file) => {
  const roots = 'app|components|docs|inngest|lib|prisma|public|scripts|tests|tools'
  const named = all(textOf(file), new RegExp(`\`((?:${roots})/[\\w./()[\\]-]+)\``, 'g'))
  // The first is made by a release, the second is shown as an example.
  const later = ['prisma/released.prisma', 'app/api/v1/campaigns/[campaign_id]/archive/route.ts']
  expect(named.filter((name) => !isThere(name) && !later.includes(name))).toEqual([])
})

/** Read by the tests, Node or the framework, or set by Vercel and its databases. */
const ELSEWHERE =
  /^(BENCH|FUZZ|PROPERTY|ENGINE|VERCEL)_|^POSTGRES_URL|^(INNGEST_SERVER|NEXTAUTH_URL|NODE_EXTRA_CA_CERTS|DATABASE_URL_UNPOOLED)$/

test.each(guides)('%s names only variables that are read', (file) => {
  const known = new Set([
    ...Object.keys(Env.shape),
    ...all(textOf('.env.example'), /^#? ?([A-Z][A-Z0-9_]+)=/gm),
  ])
  const named = all(textOf(file), /`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g)
  expect(named.filter((name) => !known.has(name) && !ELSEWHERE.test(name))).toEqual([])
})

test.each([
  { guide: 'webhooks', of: 'event', names: EVENT_TYPES },
  { guide: 'api-keys', of: 'resource', names: RESOURCES.map(({ name }) => name) },
  { guide: 'inbox', of: 'intent', names: INTENTS },
  { guide: 'mailboxes', of: 'cause of a failing mailbox', names: SENDER_CAUSES },
  { guide: 'workspaces', of: 'role', names: ROLES },
])('the guide $guide names every $of', ({ guide, names }) => {
  const text = textOf(`docs/${guide}.md`)
  expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([])
})

/** Names from other products, or words in bold for emphasis. */
const NOT_OURS = new Set([
  ...['Deployment Protection', 'Environment Variables', 'Next.js', 'Production', 'session pooler'],
  ...['Application Mail.ReadWrite', 'Application Mail.Send', 'Authenticated SMTP', 'Cloud Pub/Sub API'],
  ...['Google Sheets API', 'Pub/Sub Publisher', 'Send mail as', 'Report a vulnerability', 'user account'],
])

test.each(guides)('%s names only words that are on a page', (file) => {
  const text = textOf(file).replace(/```[\s\S]*?```|`[^`]*`|\*\*/g, '')
  const named = all(text, /(?<![*\w])\*([^*\n][^*]*?)\*(?!\w)/g)
    .flatMap((words) => toPlain(words).split(' → '))
    .map((word) => word.replace(/…$/, ''))
  expect(named.filter((word) => !pages.includes(word) && !NOT_OURS.has(word))).toEqual([])
})

const toPlain = (text: string) =>
  text
    .replaceAll('&amp;', '&')
    .replaceAll('’', "'")
    // A label with a variable part: `Use ${name} instead`.
    .replace(/\$\{APIS\[\w+\]\}/g, 'the Gmail API')
    .replace(/\s+/g, ' ')
const pages = toPlain(
  sources()
    .filter(({ file }) => /^(app|components|lib)\//.test(file))
    .map(({ code }) => code)
    .join('\n'),
)

/** Compares with anchors as GitHub derives them from headings. */
function hasHeading(file: string, heading: string): boolean {
  return all(textOf(file), /^#+ (.+)$/gm)
    .map((text) =>
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_\s-]/gu, '')
        .replace(/\s/g, '-'),
    )
    .includes(heading)
}
