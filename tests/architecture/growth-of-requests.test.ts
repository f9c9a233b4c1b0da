import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readMailboxLines } from '#components/senders/connect/mailbox-lines'
import { nextMove } from '#lib/agent/offline-moves'
import { dateTimeInput, freeForm, id, text, timeOfDay, timezone } from '#lib/contracts/fields'
import { copyLine } from '#lib/db/copy-text'
import { jsonText } from '#lib/db/json-text'
import { likeText } from '#lib/db/like'
import { isTenant } from '#lib/domain/domains/mail-organizations'
import { splitMentions } from '#lib/domain/inbox/mentions'
import { findFlags } from '#lib/domain/personalize/evidence'
import { givesOrders } from '#lib/domain/personalize/material'
import { dataBlock } from '#lib/domain/personalize/prompt'
import { replyBlock } from '#lib/domain/personalize/reply-prompt'
import { replyFlags, replySources } from '#lib/domain/personalize/reply-sources'
import { postProblem } from '#lib/domain/social/social-post'
import { readListCursor } from '#lib/domain/text/list-cursor'
import { networkPlace } from '#lib/domain/text/network-place'
import { parseOrdered } from '#lib/domain/text/ordered-json'
import { readRecoveryCode } from '#lib/domain/tokens/recovery-codes'
import { readSignedToken } from '#lib/domain/tokens/signed-token'
import { deviceName } from '#lib/domain/workspaces/device-name'
import { isWellFormedKey } from '#lib/domain/workspaces/key-format'
import { passwordWeakness } from '#lib/domain/workspaces/password-weakness'
import { parseDuration } from '#lib/engine/config'
import { parseCron } from '#lib/engine/cron'
import { readFileArgument } from '#lib/http/mcp/files'
import { composeReply } from '#lib/providers/ai/offline-reply'
import { composeOffline, readDataBlock } from '#lib/providers/ai/offline-text'
import { cleanText as cleanReply, enhancedStatus } from '#lib/providers/mail/reply'
import { readPush } from '#lib/providers/mail-api/gmail/push'
import { readNotices } from '#lib/providers/mail-api/graph/notices'
import { readSndsBlocks, readSndsDays } from '#lib/providers/snds/microsoft'
import { inventStranger, readHandle as sandboxHandleOf } from '#lib/providers/social/sandbox-people'
import { currentEventIn } from '#lib/providers/social/unipile/current-events'
import { readHandle } from '#lib/providers/social/unipile/names'
import { isSigned, parseJson } from '#lib/providers/social/unipile/signature'
import { isNetwork, networksContain } from '#lib/services/instance/networks'
import { readGraphSecret } from '#lib/services/senders/grants/watches'
import { outgrown, type Reader, reader } from '#tests/support/code/growth'

const DRAFTED = { theirs: [], ours: [], cells: {}, sender: {} }
const MATERIAL = { cells: {}, sender: {}, template: null, prompt: '' }

const READERS = {
  'texts of models': [
    reader('findFlags of a text', (text) => findFlags({ subject: text, body: text, claims: [] }, MATERIAL)),
    reader('findFlags of a cell', (text) =>
      findFlags(
        { subject: 'Hi', body: 'Hello Ann', claims: [{ text: 'a', cell: 'note' }] },
        { ...MATERIAL, cells: { note: text } },
        { others: [text] },
      ),
    ),
    reader('givesOrders', givesOrders),
    reader('splitMentions', (text) => splitMentions(text, [{ user_id: 'a', name: 'a' }])),
    reader('dataBlock', (text) => dataBlock({ ...MATERIAL, cells: { note: text } })),
    reader('composeOffline', (text) =>
      composeOffline({ cells: { note: text }, sender: {}, template: { subject: '', body: text } }),
    ),
    reader('composeReply', (text) =>
      composeReply({ conversation: [{ from: 'them', text }], cells: {}, sender: {} }),
    ),
    reader('readDataBlock', readDataBlock),
    reader('replyBlock', (text) =>
      replyBlock({ conversation: [{ from: 'them', text }], cells: {}, sender: {} }),
    ),
    reader('replySources', (text) => replySources(text, { ...DRAFTED, cells: { note: 'ab' } })),
    reader('replySources of a message', (text) => replySources('Hello', { ...DRAFTED, theirs: [text] })),
    reader('replyFlags', (text) => replyFlags(text, DRAFTED)),
    reader('nextMove', (text) => nextMove({ said: text, before: text, page: {}, done: [] })),
    reader('nextMove about a lead', (text) =>
      nextMove({ said: `find the lead ${text}`, before: '', page: {}, done: [] }),
    ),
    reader('nextMove about a reason', (text) =>
      nextMove({ said: `why is ${text}`, before: '', page: {}, done: [] }),
    ),
  ],
  networks: [
    reader('readHandle', readHandle),
    reader('inventStranger of the sandbox', (text) => inventStranger(sandboxHandleOf(text))),
    reader('postProblem', (text) => postProblem('linkedin', text, false)),
    reader('parseJson', (text) => currentEventIn(parseJson(text))),
    reader('readNotices of Graph', readNotices),
    reader('readNotices of Graph, many', (text) => {
      const one = { subscriptionId: text.slice(0, 200), clientState: text.slice(0, 128) }
      return readNotices(JSON.stringify({ value: [one, { ...one, lifecycleEvent: text }] }))
    }),
    reader('readGraphSecret', readGraphSecret),
    reader('readPush of Google', readPush),
    reader('readPush of Google, what it tells', (text) =>
      readPush(JSON.stringify({ message: { data: Buffer.from(text).toString('base64') } })),
    ),
    reader('isSigned', (text) =>
      isSigned('a', new Headers({ 'unipile-signature': encodeURIComponent(text) }), text, new Date(0)),
    ),
    reader('cleanText of a mail server', cleanReply),
    reader('enhancedStatus', enhancedStatus),
    reader('readSndsDays', (text) => readSndsDays(text, '2026-01-01')),
    reader('readSndsBlocks', readSndsBlocks),
  ],
  requests: [
    reader('networkPlace', networkPlace),
    reader('readMailboxLines', readMailboxLines),
    reader('isTenant', isTenant),
    reader('text', (given) => text(0, 100_000).safeParse(given)),
    reader('timezone', (given) => timezone().safeParse(given)),
    reader('timeOfDay', (given) => timeOfDay().safeParse(given)),
    reader('dateTimeInput', (given) => dateTimeInput().safeParse(given)),
    reader('freeForm', (given) => freeForm().safeParse({ [given]: given })),
    reader('id', (given) => id().safeParse(given)),
    reader('address of a mailbox', (given) => z.email().max(320).safeParse(given)),
    reader('readFileArgument', (given) =>
      readFileArgument('file', { filename: 'a.csv', content_base64: given }),
    ),
    reader('readListCursor', readListCursor),
    reader('readSignedToken', (given) => readSignedToken('u1', given, new Uint8Array(32))),
    reader('parseCron', parseCron),
    reader('parseDuration', parseDuration),
    reader('likeText', likeText),
    reader('jsonText', jsonText),
    reader('parseOrdered', parseOrdered),
    reader('isWellFormedKey', (given) => isWellFormedKey(`opn_live_${given}`)),
    reader('isNetwork', isNetwork),
    reader('networksContain', (given) => networksContain(['10.0.0.0/8'])(given)),
    reader('readRecoveryCode', readRecoveryCode),
    reader('passwordWeakness', (given) => passwordWeakness(given, 'ann@a.example'), 1_000),
    reader('deviceName', deviceName),
    reader('parseOrdered of a text', (given) => parseOrdered(JSON.stringify({ [given]: given }))),
    reader('copyLine', (given) => copyLine([given])),
  ],
} satisfies Record<string, Reader[]>

describe.each(Object.entries(READERS))('%s', (_room, readers) => {
  test.each<Reader>(readers)(
    '$name takes time in proportion to its input',
    (asked) => {
      expect(outgrown(asked)).toBeNull()
    },
    600_000,
  )
})

test('what grows as a square, or never ends, is found', () => {
  const runBeforeEnd = reader('square', (text) => /a+$/.exec(text))
  const nested = reader('exponential', (text) => /^(a|a)*$/.exec(text))
  const plain = reader('linear', (text) => text.split('a').length)
  expect([outgrown(runBeforeEnd, 2_000), outgrown(nested, 2_000)].map((found) => found !== null)).toEqual([
    true,
    true,
  ])
  expect(outgrown(plain)).toBeNull()
})
