import { createHash } from 'node:crypto'
import { seal, unseal } from '#lib/db/seal'
import { listCursor, readListCursor } from '#lib/domain/text/list-cursor'
import { analyticsEmailToken, readAnalyticsEmailToken } from '#lib/domain/tokens/analytics-email-token'
import { bounceAddress, readBounceAddress } from '#lib/domain/tokens/bounce-token'
import { newChallenge, readChallenge } from '#lib/domain/tokens/challenges'
import { erasureTokenHolds } from '#lib/domain/tokens/erasure-token'
import { fileToken, readFileToken } from '#lib/domain/tokens/file-token'
import { readRecoveryCode, recoveryCode } from '#lib/domain/tokens/recovery-codes'
import { readSignedToken, signedToken } from '#lib/domain/tokens/signed-token'
import { isTimeCode } from '#lib/domain/tokens/time-codes'
import { clickToken, openToken, readClickToken, readOpenToken } from '#lib/domain/tokens/tracking-token'
import { readUnsubscribeToken, unsubscribeToken } from '#lib/domain/tokens/unsubscribe-token'
import { readUploadToken, uploadToken } from '#lib/domain/tokens/upload-token'
import { isWellFormedKey, makeApiKey } from '#lib/domain/workspaces/key-format'
import { passwordWeakness } from '#lib/domain/workspaces/password-weakness'
import { joined, promise, type Target, textsOf, unlessRefused } from '#tests/support/fuzz/target'

const KEY = new Uint8Array(createHash('sha256').update('fuzz').digest())
const NOW = Date.parse('2026-03-02T10:00:00Z')
const ID = '01963f3e-7c1a-7abc-8def-0123456789ab'
const IDS = { workspace_id: ID, action_id: ID, file_id: ID }
const CHALLENGE = newChallenge({ purpose: 'confirm', user_id: ID }, ID, new Date(NOW), KEY)
const click = (url: string) => clickToken({ action_id: ID, link: 1, url }, KEY)

/** What is signed or sealed opens unchanged, and nothing else opens. */
export const tokens: Target = {
  name: 'tokens',
  max: 4_096,
  seeds: () => [
    joined('secret', seal('secret')),
    joined('', unsubscribeToken(IDS, KEY) ?? ''),
    joined('', analyticsEmailToken({ workspace_id: ID, user_id: ID }, KEY) ?? ''),
    joined('https://a.test/ü', click('https://a.test/') ?? ''),
    joined('x', openToken(ID, KEY) ?? ''),
    joined('x', fileToken(IDS, NOW, KEY)),
    joined('x', uploadToken(ID, NOW + 1, KEY)),
    joined('x', bounceAddress(ID, 'b.test', KEY) ?? ''),
    joined('x', CHALLENGE),
    joined('x', newChallenge({ purpose: 'sign_in' }, ID, new Date(NOW), KEY)),
    joined('x', recoveryCode(new Uint8Array(16))),
    joined('x', listCursor({ at: NOW, id: ID })),
  ],
  words: [
    '\x1e',
    'v1.',
    'opn_live_',
    'password',
    '12345',
    '@acme',
    'opener',
    'abc',
    'v2.',
    'u1.',
    'c1.',
    'o1.',
    'f1.',
    'e1.',
    '.',
    '=',
    '-',
    '_',
    '+',
    '/',
    'A',
    'bounce+',
    '@',
    '\0',
    'ü',
    '👍',
    '\ud83d',
  ],
  async run(input) {
    const [secret = '', given = ''] = textsOf(input, 2)
    promise(unseal(seal(secret)) === secret, 'what was sealed opens as it was')
    await unlessRefused(() => promise(seal(unseal(given)) !== '', ''), Error)
    const payload = Buffer.from(secret)
    promise(
      readSignedToken('t1', signedToken('t1', payload, KEY), KEY)?.equals(payload) ===
        (payload.length > 0 ? true : undefined),
      'a signed token opens as it was',
    )
    promise(readSignedToken('t2', signedToken('t1', payload, KEY), KEY) === null, 'and only as what it is')
    // A token that opens is byte for byte one that was issued.
    const [tracked, left, file, cursor, bounce] = [
      readClickToken(given, KEY),
      readUnsubscribeToken(given, KEY),
      readFileToken(given, NOW, KEY),
      readListCursor(given),
      readBounceAddress(given, KEY),
    ]
    promise(!tracked || clickToken(tracked, KEY) === given, 'a link is one that we made')
    promise(!left || unsubscribeToken(left, KEY) === given, 'so is a way out')
    const ended = readAnalyticsEmailToken(given, KEY)
    promise(!ended || analyticsEmailToken(ended, KEY) === given, 'and the end of emails')
    promise(!file || fileToken(file, NOW, KEY) === given, 'and a file')
    promise(
      readUploadToken(given, NOW, KEY) === null || uploadToken(ID, NOW + 1, KEY) === given,
      'and an address of an upload',
    )
    promise(!cursor || listCursor(cursor) === given, 'and a place in a list')
    promise(
      !bounce || bounceAddress(bounce.action_id, bounce.host, KEY) === given.toLowerCase(),
      'and an address of bounces',
    )
    promise(readOpenToken(given, KEY) === null || openToken(ID, KEY) === given, 'and an image')
    promise(!erasureTokenHolds(given, ID, NOW, KEY), 'nobody asked for an erasure')
    promise(!isWellFormedKey(given) || given.startsWith('opn_live_'), 'a key begins as keys do')
    promise(
      isWellFormedKey(makeApiKey(createHash('sha256').update(input).digest())),
      'a key that was made is one',
    )
    const code = readRecoveryCode(given)
    promise(code === null || readRecoveryCode(code) === code, 'a recovery code reads as itself')
    promise(!isTimeCode(given) || given.length === 6, 'a code of an app has six digits')
    const use = { purpose: 'confirm', user_id: ID } as const
    const challenge = readChallenge(given, use, new Date(NOW), KEY)
    promise(!challenge || given === CHALLENGE, 'a challenge is one that we made')
    passwordWeakness(secret, 'ann.smith@acme.example')
    passwordWeakness('Correct-horse-9', secret)
    const link = click(secret)
    if (link !== null) promise(readClickToken(link, KEY)?.url === secret || secret === '', 'a target arrives')
  },
}
