import type { Target } from '#tests/support/fuzz/target'

/** The environment that the readers need: a key that sealed nothing real, and a database that is never reached. */
export const FUZZ_ENV = {
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  APP_URL: 'http://opener.test',
  LOG_LEVEL: 'silent',
}

/** Every fuzzed reader of untrusted input, by the name that `npm run fuzz -- --target` takes. */
export const TARGETS: Record<string, () => Promise<Target>> = {
  mail: async () => (await import('#tests/support/fuzz/targets/mail')).mail,
  html: async () => (await import('#tests/support/fuzz/targets/html')).html,
  records: async () => (await import('#tests/support/fuzz/targets/records')).records,
  sheets: async () => (await import('#tests/support/fuzz/targets/sheets')).sheets,
  'xlsx-parts': async () => (await import('#tests/support/fuzz/targets/xlsx-parts')).xlsxParts,
  'xml-parts': async () => (await import('#tests/support/fuzz/targets/xlsx-parts')).odsParts,
  csv: async () => (await import('#tests/support/fuzz/targets/csv')).csv,
  'csv-out': async () => (await import('#tests/support/fuzz/targets/csv')).csvOut,
  liquid: async () => (await import('#tests/support/fuzz/targets/templates')).liquid,
  spintax: async () => (await import('#tests/support/fuzz/targets/templates')).spintax,
  sent: async () => (await import('#tests/support/fuzz/targets/sent')).sent,
  json: async () => (await import('#tests/support/fuzz/targets/requests')).json,
  mcp: async () => (await import('#tests/support/fuzz/targets/mcp')).mcp,
  webhooks: async () => (await import('#tests/support/fuzz/targets/webhooks')).webhooks,
  tokens: async () => (await import('#tests/support/fuzz/targets/tokens')).tokens,
  passkeys: async () => (await import('#tests/support/fuzz/targets/passkeys')).passkeys,
  addresses: async () => (await import('#tests/support/fuzz/targets/addresses')).addresses,
  images: async () => (await import('#tests/support/fuzz/targets/images')).images,
}

export async function targetNamed(name: string): Promise<Target> {
  const load = TARGETS[name]
  if (!load) throw new Error(`There is no target ${name}.`)
  return load()
}
