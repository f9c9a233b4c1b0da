import { randomUUID } from 'node:crypto'
import { createUserWithPassword } from '#lib/services/workspaces/users'
import { hiddenFields } from '#tests/e2e/support/hidden-fields'

/** For each page, a text that it contains when a user is signed in. */
const PAGES = {
  '/home': 'Dana Demo',
  '/campaigns': 'Campaigns',
  '/people': 'People',
  '/inbox': 'Inbox',
  '/settings/account': 'Dana Demo',
}

/** Signs in through the form as a browser without scripts does, and opens pages: each is the first request of its function. */
export async function openPages(base_url: string, print: (line: string) => void): Promise<void> {
  const email = `dana-${randomUUID().slice(0, 8)}@example.com`
  const password = randomUUID()
  if (!(await createUserWithPassword(email, 'Dana Demo', password))) throw new Error(`${email} exists.`)
  const form = await fetch(`${base_url}/sign-in`)
  const body = new FormData()
  for (const [name, value] of Object.entries({ ...hiddenFields(await form.text()), email, password }))
    body.set(name, value)
  const headers = { origin: new URL(base_url).origin }
  const answer = await fetch(form.url, { method: 'POST', headers, body, redirect: 'manual' })
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ')
  if (!answer.headers.get('location')?.endsWith('/home'))
    throw new Error(`Signing in answered ${answer.status}.`)
  for (const [path, words] of Object.entries(PAGES)) {
    const page = await fetch(`${base_url}${path}`, { headers: { cookie }, redirect: 'manual' })
    const isShown = page.status === 200 && (await page.text()).includes(words)
    if (!isShown) throw new Error(`${path} answered ${page.status}, without “${words}”.`)
  }
  print(`Signed in, and opened ${Object.keys(PAGES).join(', ')}`)
}
