import { expect } from 'vitest'
import type { Endpoint } from '#tests/support/conformance/endpoint'
import { POST_ACCOUNT, SOCIAL_POST } from '#tests/support/conformance/resources'
import { anAccount } from '#tests/support/scenes/factories'

/** The id of the owner's account, created before the first request. */
const ACCOUNT = '01900000-0000-7000-8000-000000000004'
const NOBODY = '01900000-0000-7000-8000-000000000000'

const long = (length: number) => 'x'.repeat(length)

/** The endpoints of accounts, posts and the assistant, by their number in the interface document. */
export const social: Record<number, Endpoint> = {
  3: {
    method: 'POST',
    path: '/agent/chat',
    status: 200,
    errors: 'legacy',
    validation: 'framework',
    valid: { body: {} },
    answer: 'any',
    granted: [
      { body: { thread_id: long(200), message: '', page_context: {} } },
      { body: { thread_id: null, message: null, page_context: null, resume: null } },
    ],
    refused: [
      { body: { message: 5 }, loc: ['body', 'message'] },
      { body: { thread_id: long(201) }, loc: ['body', 'thread_id'] },
      { body: { page_context: 'here' }, loc: ['body', 'page_context'] },
    ],
  },
  4: {
    method: 'POST',
    path: '/social/message',
    status: 200,
    errors: 'legacy',
    arrange: async (owner) => {
      await anAccount(owner, { account_id: ACCOUNT, provider: 'telegram' })
      return {}
    },
    valid: { body: { account_id: ACCOUNT, text: 'Hello', identifier: 'grace' } },
    answer: { success: 'boolean', data: { chat_id: 'string', message_id: 'string' }, error: 'string?' },
    holds: { success: true, error: null },
    granted: [{ body: { account_id: ACCOUNT, text: long(8_000), identifier: 'grace', chat_id: null } }],
    refused: [
      { body: { text: 'Hello', chat_id: 'c' }, loc: ['body', 'account_id'] },
      { body: { account_id: NOBODY, chat_id: 'c' }, loc: ['body', 'text'] },
      { body: { account_id: NOBODY, text: '', chat_id: 'c' }, loc: ['body', 'text'] },
      { body: { account_id: NOBODY, text: ' \n', chat_id: 'c' }, loc: ['body', 'text'] },
      { body: { account_id: null, text: 'Hello', chat_id: 'c' }, loc: ['body', 'account_id'] },
      { body: { account_id: 'x', text: 'Hello', chat_id: 'c' }, loc: ['body', 'account_id'] },
      { body: { account_id: ACCOUNT, text: long(8_001), chat_id: 'c' }, loc: ['body', 'text'] },
      { body: { account_id: ACCOUNT, text: 'Hello' }, loc: ['body', 'chat_id'] },
      {
        body: { account_id: ACCOUNT, text: 'Hello', chat_id: 'c', identifier: 'i' },
        loc: ['body', 'chat_id'],
      },
    ],
    others: [
      {
        name: 'an account that is not one’s own',
        sent: { body: { account_id: NOBODY, text: 'Hello', chat_id: 'c' } },
        status: 404,
        body: { detail: expect.any(String) },
      },
    ],
  },
  8: {
    method: 'POST',
    path: '/connected-accounts/auth-link',
    status: 200,
    errors: 'legacy',
    valid: { body: { provider: 'linkedin', return_path: '/accounts' } },
    answer: { url: 'string', provider: 'string' },
    holds: { provider: 'linkedin' },
    granted: [{ body: { provider: 'telegram' } }, { body: { provider: 'linkedin', return_path: null } }],
    refused: [
      { body: {}, loc: ['body', 'provider'] },
      { body: { provider: 'myspace' }, loc: ['body', 'provider'] },
      { body: { provider: 'linkedin', return_path: 'https://evil.example' }, loc: ['body', 'return_path'] },
      { body: { provider: 'linkedin', return_path: '//evil.example' }, loc: ['body', 'return_path'] },
    ],
  },
  14: {
    method: 'POST',
    path: '/social/posts/',
    status: 201,
    errors: 'legacy',
    valid: { form: { text: 'Hello' } },
    answer: SOCIAL_POST,
    holds: { status: 'draft', is_repost: false, retry_count: 0, impressions: 0, attachments: [] },
    granted: [
      { form: { text: 'x' } },
      { form: { text: long(3_000) } },
      { form: { text: 'null', connected_account_id: 'null', image: 'null' } },
    ],
    refused: [
      { form: { connected_account_id: '' }, loc: ['body', 'text'] },
      { form: { text: '' }, loc: ['body', 'text'] },
      { form: { text: '   ' }, loc: ['body', 'text'] },
      { form: { text: long(3_001) }, loc: ['body', 'text'] },
    ],
  },
  15: {
    method: 'GET',
    path: '/social/posts/',
    status: 200,
    errors: 'legacy',
    arrange: async (owner, ask) => {
      await ask('POST', '/social/posts/', { form: { text: 'Hello' } })
      await anAccount(owner)
      return {}
    },
    answer: { items: [SOCIAL_POST], accounts: [POST_ACCOUNT], next_after: 'string?', total_count: 'integer' },
    holds: {
      items: [{ text: 'Hello' }],
      accounts: [{ provider: 'linkedin' }],
      next_after: null,
      total_count: 1,
    },
    granted: [
      { query: { limit: 1 } },
      { query: { limit: 100 } },
      { query: { connected_account_id: NOBODY } },
      { query: { connected_account_id: 'null', after: 'null', limit: 'null' } },
    ],
    refused: [
      { query: { limit: 0 }, loc: ['query', 'limit'] },
      { query: { limit: 101 }, loc: ['query', 'limit'] },
      { query: { limit: '1e1' }, loc: ['query', 'limit'] },
      { query: { limit: ' 1' }, loc: ['query', 'limit'] },
      { query: { connected_account_id: 'x' }, loc: ['query', 'connected_account_id'] },
      { query: { after: 'no cursor' }, loc: ['query', 'after'] },
    ],
  },
  18: {
    method: 'GET',
    path: '/agent/conversations',
    status: 200,
    errors: 'legacy',
    arrange: async (_, ask) => {
      // Each stream is read to its end: only then are its messages stored.
      for (const message of ['First', 'Second'])
        await (await ask('POST', '/agent/chat', { body: { message, thread_id: message } })).text()
      return {}
    },
    answer: {
      conversations: [
        {
          thread_id: 'string',
          title: 'string?',
          created_at: 'date-time',
          updated_at: 'date-time',
          message_count: 'integer',
          last_message: 'string?',
        },
      ],
      total: 'integer',
    },
    holds: { conversations: [{ thread_id: 'Second' }, { thread_id: 'First' }], total: 2 },
  },
}
