import { expect, test } from 'vitest'
import { workspaceSlug } from '#lib/domain/workspaces/slug'

const ID = '0199aaaa-bbbb-7ccc-8ddd-eeee12345678'

test.each([
  ['Ana', 'ana-12345678'],
  ['Ana María Ñandú', 'ana-maria-nandu-12345678'],
  ['  a.b_c - d  ', 'a-b-c-d-12345678'],
  ['杭州', 'workspace-12345678'],
  ['- -', 'workspace-12345678'],
  ['x'.repeat(90), `${'x'.repeat(40)}-12345678`],
  [`${'x'.repeat(39)} y`, `${'x'.repeat(39)}-12345678`],
])('%s is %s in addresses', (name, slug) => {
  expect(workspaceSlug(name, ID)).toBe(slug)
})
