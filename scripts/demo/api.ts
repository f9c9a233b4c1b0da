import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { readRunFile } from '#scripts/up/run-file'
import { ROOT, readSettings } from '#scripts/up/settings'
import { Trouble } from '#scripts/up/trouble'

/** The API of the running instance, as the demo user. Whatever is refused ends the demo with the refusal. */
export async function demoApi(dataFolder = readSettings().dataFolder) {
  const run = readRunFile(dataFolder)
  if (!run) throw new Trouble('Opener does not run: start it with `npm run up` in another terminal.')
  const token = execFileSync(process.execPath, [path.join(ROOT, 'scripts/token.ts')], {
    encoding: 'utf8',
    env: { ...process.env, DATA_DIR: dataFolder },
  }).trim()

  async function call<T>(method: string, where: string, body?: BodyInit, type?: string): Promise<T> {
    const headers = { authorization: `Bearer ${token}`, ...(type ? { 'content-type': type } : {}) }
    const response = await fetch(`${run?.url}/api/v1${where}`, { method, headers, ...(body ? { body } : {}) })
    if (response.status === 429) {
      await new Promise((resolve) =>
        setTimeout(resolve, Number(response.headers.get('retry-after') ?? 1) * 1_000),
      )
      return call(method, where, body, type)
    }
    if (!response.ok)
      throw new Trouble(`${method} ${where} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as T
  }

  const get = <T>(where: string) => call<T>('GET', where)

  return {
    url: run.url,
    get,
    post: <T>(where: string, body: object) =>
      call<T>('POST', where, JSON.stringify(body), 'application/json'),
    form: <T>(where: string, fields: Record<string, string | File>) => {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.set(name, value)
      return call<T>('POST', where, form)
    },
    /** All items of a list, page by page. */
    all: async <T>(where: string): Promise<T[]> => {
      const items: T[] = []
      for (let page = 1; ; page++) {
        const answer = await get<{ items: T[]; total: number }>(`${where}?page=${page}&page_size=100`)
        items.push(...answer.items)
        if (answer.items.length === 0 || items.length >= answer.total) return items
      }
    },
  }
}
