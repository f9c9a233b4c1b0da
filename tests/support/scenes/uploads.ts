import { CreateUpload, ImportUpload } from '#lib/contracts/datasets/uploads'
import { importRows } from '#lib/services/datasets/import'
import { call } from '#tests/support/call'
import { PUT } from '../../../app/(public)/files/uploads/[token]/route.ts'

type User = { workspace_id: string; user_id: string }
export type Bytes = Uint8Array<ArrayBuffer>

export const PEOPLE: Bytes = new TextEncoder().encode(
  'Email,First name\nada@example.com,Ada\nbroken,Bob\ncarl@example.com,Carl\n',
)

export async function anUpload(owner: User, size_bytes = PEOPLE.length, filename = 'leads.csv') {
  const { status, body, error } = await call(CreateUpload, { as: owner, body: { filename, size_bytes } })
  if (status !== 201) throw new Error(JSON.stringify(error))
  return body
}

type Address = { url: string; headers: Record<string, string> }

/** Uploads a file to its upload address, as browsers and programs do; an address of our own goes through its route. */
export async function put({ url, headers }: Address, body: Bytes = PEOPLE): Promise<Response> {
  const { pathname, search } = new URL(url)
  const own = search === '' && pathname.split('/files/uploads/')[1]
  const init = { method: 'PUT', headers, body }
  return own ? PUT(new Request(url, init), { params: Promise.resolve({ token: own }) }) : fetch(url, init)
}

/** Requests the import and runs it. */
export async function importedUpload(owner: User, upload_id: string, body: object = {}) {
  const asked = await call(ImportUpload, { as: owner, params: { upload_id }, body })
  const { dataset_id, session_id } = asked.body
  const outcome = await importRows(dataset_id, session_id ?? '', new Date())
  return { asked, outcome, dataset_id }
}
