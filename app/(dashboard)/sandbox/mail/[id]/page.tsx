import { Download } from 'lucide-react'
import type { Metadata } from 'next'
import { z } from 'zod'
import { AnswerPanel } from '#components/sandbox/answer-panel'
import { MailList } from '#components/sandbox/mail-list'
import { MAIL_PARTS, MailView } from '#components/sandbox/mail-view'
import { OneClick } from '#components/sandbox/one-click'
import { buttonClass } from '#components/ui/controls/button'
import { Breadcrumbs } from '#components/ui/layout/breadcrumbs'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { Panel } from '#components/ui/layout/panel'
import { queryHref } from '#components/ui/query-href'
import { ListSandboxMessages, ReadSandboxMessage } from '#lib/contracts/sandbox/sandbox'
import { requireUser } from '#lib/http/session'
import { listSandboxMessages, readSandboxMessage } from '#lib/services/senders/sandbox'
import { workspaceTimezone } from '#lib/services/workspaces/users'
import { orNotFound, parseParams, parseQuery } from '../../../../page-input.ts'
import { answerMail } from './actions.ts'

export const metadata: Metadata = { title: 'Sandbox mail' }

const Query = ListSandboxMessages.query.extend({ part: z.enum(MAIL_PARTS).default('html') })

export default async function SandboxMessagePage(props: PageProps<'/sandbox/mail/[id]'>) {
  const user = await requireUser()
  const { id } = await props.params
  const { sandbox_message_id } = parseParams(ReadSandboxMessage.params, { sandbox_message_id: id })
  const { part, ...query } = parseQuery(Query, await props.searchParams)
  const [message, list, zone] = await Promise.all([
    orNotFound(readSandboxMessage(user.workspace_id, sandbox_message_id)),
    orNotFound(listSandboxMessages(user.workspace_id, query)),
    workspaceTimezone(user.workspace_id),
  ])
  const mail = ReadSandboxMessage.response.parse(message)
  const { items } = ListSandboxMessages.response.parse(list)
  const path = `/sandbox/mail/${sandbox_message_id}`
  const place = { page: query.page }
  return (
    <>
      <PageHeader
        above={
          <Breadcrumbs items={[{ href: queryHref('/sandbox/mail', query, place), label: 'Sandbox mail' }]} />
        }
        title={`Mail to ${mail.rcpt_to}`}
      />
      <PageBody>
        <div className="grid items-start gap-4 lg:grid-cols-[20rem_minmax(0,1fr)]">
          <Panel flush className="max-lg:hidden">
            <MailList
              mails={items}
              chosen={sandbox_message_id}
              now={new Date().toISOString()}
              toHref={(other) => queryHref(`/sandbox/mail/${other}`, { ...query, part }, place)}
            />
          </Panel>
          <div className="grid min-w-0 gap-4">
            <MailView
              mail={mail}
              part={part}
              zone={zone}
              toHref={(other) => queryHref(path, query, { ...place, part: other })}
              actions={
                <>
                  {mail.unsubscribe_url && <OneClick url={mail.unsubscribe_url} />}
                  <a className={buttonClass({ size: 'sm' })} href={`${path}/raw`} download>
                    <Download aria-hidden /> Download
                  </a>
                </>
              }
            />
            <AnswerPanel answer={answerMail.bind(null, sandbox_message_id)} />
          </div>
        </div>
      </PageBody>
    </>
  )
}
