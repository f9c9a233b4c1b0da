import { Link } from '#components/ui/controls/link'
import type { MemberRemoval } from '#lib/contracts/workspaces/members'

const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`

/** What the heir receives, on one line. */
function handedOn({ campaigns, templates, sender_profiles, social_posts }: MemberRemoval): string {
  const all = [
    campaigns > 0 && counted(campaigns, 'campaign'),
    templates > 0 && counted(templates, 'template'),
    sender_profiles > 0 && counted(sender_profiles, 'sender profile'),
    social_posts > 0 && counted(social_posts, 'post'),
  ].filter((part) => part !== false)
  return all.length > 0 ? all.join(', ') : 'nothing'
}

/** The consequences, shown before removing somebody. */
export function RemovalEffects({ removal }: { removal: MemberRemoval }) {
  const { api_keys, mailboxes, accounts, conversations, running, handed_to } = removal
  const senders = mailboxes + accounts
  return (
    <ul className="mt-4 grid list-disc gap-1.5 pl-5 text-sm">
      <li>
        {handed_to?.name ?? 'An owner'} gets {handedOn(removal)}.
      </li>
      {api_keys > 0 && <li>{counted(api_keys, 'API key stops', 'API keys stop')} working.</li>}
      {conversations > 0 && (
        <li>{counted(conversations, 'conversation becomes', 'conversations become')} unassigned.</li>
      )}
      {senders > 0 && (
        <li>
          {counted(senders, 'mailbox or account', 'mailboxes or accounts')} given to them{' '}
          {senders === 1 ? 'stays' : 'stay'} connected.
        </li>
      )}
      {running.length > 0 && <Running running={running} />}
    </ul>
  )
}

const Running = ({ running }: Pick<MemberRemoval, 'running'>) => (
  <li>
    {counted(running.length, 'campaign goes', 'campaigns go')} on sending. To stop one, pause it first:
    <ul className="mt-1 grid gap-1 text-muted">
      {running.map(({ campaign_id, name, missing }) => (
        <li key={campaign_id}>
          <Link href={`/campaigns/${campaign_id}`} className="rounded-xs underline">
            {name}
          </Link>
          {missing.length > 0 && `: ${missing.join(' ')}`}
        </li>
      ))}
    </ul>
  </li>
)
