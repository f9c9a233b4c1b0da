import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Message } from '#components/assistant/message'

type Approval = { id: string; approved?: boolean }

/** A stored message that asks to pause a campaign. */
function shown(state: string, approval: Approval, how: { isLast: boolean; busy: boolean }): string {
  const card = { approval_id: 'a1', summary: 'Pause a campaign', arguments: {}, preview: {} }
  const parts = [
    { type: 'tool-call_operation', toolCallId: 't', state, input: { operation: 'pauseCampaign' }, approval },
    { type: 'data-approval', data: card },
  ]
  const message = { id: 'm', role: 'assistant', parts } as never
  return renderToStaticMarkup(createElement(Message, { message, decide: () => undefined, ...how }))
}

const AT_REST = { isLast: true, busy: false }

test.each<[string, string, Approval, { isLast: boolean; busy: boolean }, string]>([
  ['it waits', 'approval-requested', { id: 'a1' }, AT_REST, 'Approve</button>'],
  [
    'the talk went on',
    'approval-requested',
    { id: 'a1' },
    { isLast: false, busy: false },
    'You denied this.',
  ],
  ['it was denied', 'approval-responded', { id: 'a1', approved: false }, AT_REST, 'You denied this.'],
  ['it was approved', 'output-available', { id: 'a1', approved: true }, AT_REST, 'You approved this.'],
])('a card says what became of it: %s', (_, state, approval, how, words) => {
  const card = shown(state, approval, how)
  expect(card).toContain(words)
  expect(card.includes('Approve</button>')).toBe(words === 'Approve</button>')
  expect(card.includes('not done')).toBe(state === 'approval-responded')
})

test('nothing can be approved while an answer is coming', () => {
  expect(shown('approval-requested', { id: 'a1' }, { isLast: true, busy: true })).not.toContain('<button')
})
