import { Callout } from '#components/ui/feedback/callout'
import { Stat, StatRow } from '#components/ui/feedback/stat'
import { RelativeTime } from '#components/ui/relative-time'
import { ZonedTime } from '#components/ui/zoned-time'
import type { OneCompany } from '#lib/contracts/leads/companies'

type Props = { company: OneCompany; now: string; zone: string }

const share = (part: number, whole: number) =>
  whole === 0 ? undefined : `${Math.round((100 * part) / whole)} % of ${whole.toLocaleString('en')}`

/** The state of contact with a company, and whether its people wait for each other. */
export function CompanyFigures({ company, now, zone }: Props) {
  const { people_count, contacted_count, replied_count, last_reply, touches } = company
  const last = touches.find(({ kind }) => kind === 'sent')
  return (
    <>
      {last_reply?.others_wait_until && (
        <Callout title="Colleagues are on hold">
          {last_reply.name} replied <RelativeTime at={last_reply.at} now={now} zone={zone} />. Campaigns
          contact nobody else there until <ZonedTime at={last_reply.others_wait_until} zone={zone} />, under
          your contact policy.
        </Callout>
      )}
      <StatRow>
        <Stat label="People" value={people_count.toLocaleString('en')} />
        <Stat
          label="Contacted"
          value={contacted_count.toLocaleString('en')}
          detail={share(contacted_count, people_count)}
        />
        <Stat
          label="Replied"
          value={replied_count.toLocaleString('en')}
          detail={share(replied_count, contacted_count)}
        />
        <Stat
          label="Last message"
          isText
          value={last ? <RelativeTime at={last.at} now={now} zone={zone} /> : '–'}
          detail={last ? `To ${last.name}` : 'Nothing was sent yet'}
        />
      </StatRow>
    </>
  )
}
