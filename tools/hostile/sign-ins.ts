import { randomUUID } from 'node:crypto'
import type { Answer } from './doors.ts'

export const SIGN_INS = 200

/** Guesses at many accounts at once, by the form that programs guess with too. */
export async function signIns(url: string): Promise<[from: string, answer: () => Promise<Answer>][]> {
  const fresh = await fetch(`${url}/api/auth/csrf`)
  const { csrfToken } = (await fresh.json()) as { csrfToken: string }
  const cookie = fresh.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const guess = (at: number, place: string) =>
    fetch(`${url}/api/auth/callback/credentials`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, 'x-forwarded-for': place },
      body: new URLSearchParams({
        csrfToken,
        json: 'true',
        email: `guess-${at}@example.com`,
        password: randomUUID(),
      }),
    })
  const all = async (toPlace: (at: number) => string) => {
    const answers = await Promise.all(Array.from({ length: SIGN_INS }, (_, at) => guess(at, toPlace(at))))
    for (const answer of answers) await answer.text()
    return new Response('', { status: Math.max(...answers.map(({ status }) => status)) })
  }
  return [
    ['one place', () => all(() => '203.0.113.7')],
    ['as many places', () => all((at) => `198.51.${at}.7`)],
  ]
}
