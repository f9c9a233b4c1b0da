import { randomUUID } from 'node:crypto'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import type { Answer } from '#tests/support/hostile/doors'

export const SIGN_INS = 200

type Node = DefaultTreeAdapterTypes.ParentNode | DefaultTreeAdapterTypes.ChildNode

/** The hidden fields that a browser without JavaScript sends with the form. */
function hiddenFields(node: Node): [name: string, value: string][] {
  const attrs = 'attrs' in node ? new Map(node.attrs.map(({ name, value }) => [name, value])) : new Map()
  const own: [string, string][] =
    node.nodeName === 'input' && attrs.get('type') === 'hidden'
      ? [[attrs.get('name') ?? '', attrs.get('value') ?? '']]
      : []
  return [...own, ...('childNodes' in node ? node.childNodes.flatMap(hiddenFields) : [])]
}

/** Password guesses for many accounts at once, through the sign-in form. */
export async function signIns(url: string): Promise<[from: string, answer: () => Promise<Answer>][]> {
  const page = await fetch(`${url}/sign-in`)
  const hidden = hiddenFields(parse(await page.text()))
  const guess = (at: number, place: string) => {
    const body = new FormData()
    for (const [name, value] of hidden) body.append(name, value)
    body.set('email', `guess-${at}@example.com`)
    body.set('password', randomUUID())
    return fetch(`${url}/sign-in`, { method: 'POST', headers: { 'x-forwarded-for': place }, body })
  }
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
