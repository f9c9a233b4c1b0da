import { Send } from 'lucide-react'
import { Avatar } from '#components/ui/avatar'
import { CodeBlock } from '#components/ui/code-block'
import { Checkbox } from '#components/ui/controls/checkbox'
import { LinkButton } from '#components/ui/controls/link-button'
import { Badge, type Tone } from '#components/ui/feedback/badge'
import { Progress, ProgressLine } from '#components/ui/feedback/progress'
import { Stat, StatRow } from '#components/ui/feedback/stat'
import { type StatusMark, StatusPill } from '#components/ui/feedback/status-pill'
import { Breadcrumbs } from '#components/ui/layout/breadcrumbs'
import { Pagination } from '#components/ui/layout/pagination'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import { Markdown } from '#components/ui/markdown'
import { PlotBar } from '#components/ui/plots/plot-bar'
import { PlotFunnel } from '#components/ui/plots/plot-funnel'
import { PlotHeat } from '#components/ui/plots/plot-heat'
import { PlotInterval } from '#components/ui/plots/plot-interval'
import { PlotLine } from '#components/ui/plots/plot-line'
import { Sparkline } from '#components/ui/plots/sparkline'
import { RelativeTime } from '#components/ui/relative-time'
import { ZonedTime } from '#components/ui/zoned-time'

const TONES: Tone[] = ['neutral', 'accent', 'success', 'warning', 'danger', 'info']
const PILLS: [Tone, StatusMark, string][] = [
  ['neutral', 'hollow', 'Draft'],
  ['info', 'half', 'Scheduled'],
  ['accent', 'pulse', 'Active'],
  ['warning', 'pause', 'Paused'],
  ['danger', 'cross', 'Failed'],
  ['success', 'check', 'Completed'],
]
const NOW = '2026-11-20T12:00:00.000Z'
const NEXT = '2026-11-20T12:12:00.000Z'
const HOURS = Array.from({ length: 12 }, (_, hour) => ({
  label: `${8 + hour}:00`,
  values: [Math.round(14 + 10 * Math.sin(hour / 2)), Math.max(0, hour - 5) * 2],
}))

export function Data() {
  return (
    <div className="grid gap-4">
      <StatRow>
        <Stat
          label="Contacted"
          value="1,204"
          detail="of 1,240 leads"
          plot={<Sparkline values={[1, 4, 3, 8, 9, 14, 12]} label="Rising over seven days" />}
        />
        <Stat label="Replied" value="6.4 %" detail="77 of 1,204 contacted" />
        <Stat label="Bounced" value="0.8 %" detail="10 of 1,204 contacted" />
        <Stat
          label="Next send"
          value={<RelativeTime at={NEXT} now={NOW} zone="Europe/Paris" />}
          detail={<ZonedTime at={NEXT} zone="Europe/Paris" />}
        />
      </StatRow>
      <Panel title="Markdown">
        <Markdown
          text={'A **word** with `code`:\n\n1. first\n2. second\n\n| A | B |\n| - | - |\n| 1 | 2 |'}
        />
      </Panel>
      <Campaigns />
      <Plots />
      <SmallThings />
    </div>
  )
}

function Campaigns() {
  return (
    <Panel title="Campaigns" flush>
      <Table caption="Campaigns">
        <thead>
          <tr>
            <Th>Name</Th>
            <Th>Status</Th>
            <Th className="w-1/3">Progress</Th>
            <Th numeric>Replied</Th>
            <Th>Next send</Th>
          </tr>
        </thead>
        <tbody>
          {PILLS.map(([tone, mark, label], index) => (
            <Tr key={label}>
              <Td lead>
                <Checkbox label={`Select ${label}`} hideLabel className="mr-2 align-middle" />
                Spring outreach {index + 1}
              </Td>
              <Td label="Status">
                <StatusPill tone={tone} mark={mark} label={label} />
              </Td>
              <Td label="Progress">
                <Progress
                  className="max-sm:w-40"
                  label="Progress"
                  parts={{ done: 40 * index, in_flight: 12, waiting: 200 - 36 * index, ended_early: 9 }}
                />
              </Td>
              <Td label="Replied" numeric>
                {(index * 1.3).toFixed(1)} %
              </Td>
              <Td label="Next send">
                <ZonedTime at={NEXT} zone="Europe/Paris" />
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
      <Pagination
        path="/dev/ui"
        query={{ part: 'data' }}
        page={2}
        page_size={6}
        total={1240}
        noun="campaigns"
      />
    </Panel>
  )
}

function Plots() {
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Panel>
        <PlotLine
          title="Sends by hour"
          summary="The busiest hour is 11:00 with 24 sends."
          series={['planned', 'sent']}
          points={HOURS}
          smooth
        />
      </Panel>
      <Panel>
        <PlotBar
          title="Replies and bounces"
          summary="Replies come mostly before noon."
          series={['replied', 'bounced']}
          points={HOURS}
        />
      </Panel>
      <Panel>
        <PlotHeat
          title="Sends by hour of the week"
          summary="Hours in Europe/Stockholm."
          cells={[1, 2, 3, 4, 5].flatMap((weekday) =>
            [9, 10, 11, 14].map((hour) => ({
              weekday,
              hour,
              value: weekday * hour,
              words: `${weekday * hour} sent`,
            })),
          )}
        />
        <PlotInterval
          title="Reply rate by variant"
          rows={[
            { label: 'A', value: 0.061, low: 0.044, high: 0.083, detail: '37 of 604' },
            { label: 'B', value: 0.083, low: 0.063, high: 0.109, detail: '50 of 600' },
          ]}
        />
      </Panel>
      <Panel>
        <PlotFunnel
          title="Funnel"
          stages={[
            { label: 'Contacted', count: 1204, of: 'of 1,240 leads' },
            { label: 'Replied', count: 77, of: '6.4 % of contacted' },
            { label: 'Interested', count: 21, of: '27.3 % of replied' },
          ]}
        />
      </Panel>
    </div>
  )
}

function SmallThings() {
  return (
    <Panel title="Small things">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <Breadcrumbs
          items={[
            { href: '/dev/ui', label: 'Campaigns' },
            { href: '/dev/ui?part=data', label: 'Spring outreach' },
          ]}
        />
        <div className="flex flex-wrap gap-2">
          {TONES.map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
          <Avatar name="Ada Lovelace" />
          <Avatar name="grace@example.com" />
        </div>
        <Progress
          label="Spring outreach"
          parts={{ done: 312, in_flight: 14, waiting: 174, ended_early: 6 }}
        />
        <ProgressLine label="Importing" value={42} />
        <ProgressLine label="Reading the file" />
        <CodeBlock
          label="request"
          code={'curl -H "Authorization: Bearer $TOKEN" \\\n  http://127.0.0.1:3000/api/v1/campaigns'}
        />
        <LinkButton href="/dev/ui" className="justify-self-start">
          <Send aria-hidden /> A link
        </LinkButton>
      </div>
    </Panel>
  )
}
