import { buildBody, buildUrl } from '#lib/client/request'
import type { Contract } from '#lib/contracts/contract'
import { db } from '#lib/db/client'
import { operations } from '#lib/operations/all'
import type { Answer } from '#tests/support/hostile/doors'
import { type Place, placesIn } from '#tests/support/hostile/places'
import { PEOPLE } from '#tests/support/scenes/uploads'
import { FACTORIES, paramsFor, type User } from '#tests/support/walk/one-of-each'

type Knock = { door: string; place: string; ready: (text: string) => Promise<() => Promise<Answer>> }
type Instance = { url: string; token: string }
/** An answer after this time counts as none. */
const HUNG_MS = 60_000

/** One object of each kind: of the user, for bodies that name one, or of another workspace, whose data no answer may show. */
export async function oneOfEach(owner: User): Promise<Record<string, string>> {
  const ids: Record<string, string> = {}
  for (const [name, make] of Object.entries(FACTORIES)) ids[name] = await make(owner, {})
  return ids
}

/** Every field of every operation; each text is sent in a request about new objects. */
export function operationKnocks(at: Instance, owner: User, ids: Record<string, string>): Knock[] {
  return operations.flatMap(({ contract }) => {
    const rows = rowsFor(at, contract, owner)
    return placesIn(contract).map((place) => ({
      door: contract.id,
      place: place.name,
      ready: async (text: string) => request(at, contract, place.fill(text, { params: await rows(), ids })),
    }))
  })
}

/** Objects that are only read are reused; any other operation gets new ones. */
function rowsFor({ url, token }: Instance, contract: Contract, owner: User) {
  let made: Promise<Record<string, string>> | undefined
  return () => {
    if (!made || contract.method !== 'GET') made = make()
    return made
  }
  async function make() {
    // Only few uploads may be pending at a time.
    if (contract.path.startsWith('/uploads'))
      await db.uploadedFile.deleteMany({ where: { workspace_id: owner.workspace_id, dataset_id: null } })
    if (!contract.path.includes('{upload_id}')) return paramsFor(contract, owner)
    const asked = await fetch(`${url}/api/v1/uploads`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ filename: 'x.csv', size_bytes: PEOPLE.length }),
    })
    const upload = (await asked.json()) as { upload_id: string; url: string; headers: HeadersInit }
    await fetch(upload.url, { method: 'PUT', headers: upload.headers, body: PEOPLE })
    return { upload_id: upload.upload_id }
  }
}

function request({ url, token }: Instance, contract: Contract, given: ReturnType<Place['fill']>) {
  const json = { body: 'raw' in given ? given.raw : '', type: 'application/json' }
  const { body, type } = 'raw' in given ? json : buildBody(contract, given.body)
  const address = buildUrl(contract, url, given)
  const headers = { authorization: `Bearer ${token}`, ...(type ? { 'content-type': type } : {}) }
  const init = { method: contract.method, headers, signal: AbortSignal.timeout(HUNG_MS) }
  return () => fetch(address, { ...init, ...(body === undefined ? {} : { body }) })
}
