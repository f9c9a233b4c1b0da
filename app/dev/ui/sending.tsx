import { ProfileForm } from '#components/messages/profiles/profile-form'
import { ProfileTable } from '#components/messages/profiles/profile-table'
import { MailList } from '#components/sandbox/mail-list'
import { MailView } from '#components/sandbox/mail-view'
import { AddressFirst } from '#components/senders/connect/address-first'
import { BulkConnect } from '#components/senders/connect/bulk-connect'
import { MailboxColumns } from '#components/senders/connect/mailbox-columns'
import { MailboxForm } from '#components/senders/mailbox-form'
import { MailboxList } from '#components/senders/mailbox-list'
import { Panel } from '#components/ui/layout/panel'
import { CreateKey } from '#components/workspaces/keys/create-key'
import { KeyTable } from '#components/workspaces/keys/key-table'
import type { SandboxMessageDetail } from '#lib/contracts/sandbox/sandbox'
import { KEYS, MAILBOXES, NOW, PROFILES } from './sample-data.ts'
import { actSample, bulkSample, keySample, saveSample } from './samples.ts'

const MAIL: SandboxMessageDetail = {
  sandbox_message_id: '1',
  mail_from: 'ada@example.com',
  rcpt_to: 'ingrid@nordfrakt.example',
  from_address: 'ada@example.com',
  message_id: '<1@example.com>',
  subject: 'Hello Ingrid',
  received_at: '2026-11-20T11:58:00.000Z',
  from: { name: 'Ada Lovelace', address: 'ada@example.com' },
  to: [{ name: '', address: 'ingrid@nordfrakt.example' }],
  date: '2026-11-20T11:58:00.000Z',
  in_reply_to: null,
  references: [],
  headers: [{ name: 'list-unsubscribe', value: '<https://example.com/u/abc>' }],
  attachments: [],
  unsubscribe_url: null,
  text: 'Hi Ingrid,\n\nI saw that Nordfrakt is hiring.',
  display_html: '<p>Hi Ingrid,</p><p>I saw that <b>Nordfrakt</b> is hiring.</p>',
  raw: 'Subject: Hello Ingrid\r\n\r\nHi Ingrid,',
}

export function Sending() {
  return (
    <>
      <MailboxList mailboxes={MAILBOXES} now={NOW} acts={{ test: actSample, remove: actSample }} />
      {MAILBOXES.slice(0, 1).map((mailbox) => (
        <MailboxForm key={mailbox.mailbox_id} mailbox={mailbox} save={saveSample} now={NOW} />
      ))}
      <BulkConnect connect={bulkSample}>
        <MailboxColumns />
      </BulkConnect>
      <AddressFirst address="" problem={undefined} />
      <ProfileTable profiles={PROFILES} total={1} page={1} page_size={20} query={{}} remove={actSample} />
      <ProfileForm profile={PROFILES[0] ?? null} save={saveSample} />
      <div>
        <CreateKey create={keySample} isFull={false} own="owner" />
      </div>
      <KeyTable
        query={{}}
        keys={KEYS}
        count={2}
        tier_limit={5}
        now={NOW}
        zone="UTC"
        own="owner"
        revoke={actSample}
        roll={keySample}
        save={actSample}
      />
      <div className="grid gap-4 lg:grid-cols-[20rem_minmax(0,1fr)]">
        <Panel flush>
          <MailList
            mails={[MAIL, { ...MAIL, sandbox_message_id: '2' }]}
            chosen="1"
            now={NOW}
            toHref={(id) => `/dev/ui?part=sending&mail=${id}`}
          />
        </Panel>
        <MailView mail={MAIL} part="text" zone="UTC" toHref={(part) => `/dev/ui?part=sending&view=${part}`} />
      </div>
    </>
  )
}
