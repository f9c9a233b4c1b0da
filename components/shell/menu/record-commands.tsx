import {
  ChartNoAxesColumn,
  CopyPlus,
  GitCommitHorizontal,
  ListX,
  Lock,
  type LucideIcon,
  Pause,
  Play,
  Plus,
  Rocket,
  Send,
  Timer,
  Users,
} from 'lucide-react'
import type { Act } from '#components/ui/use-action'
import { statusAfter } from '#lib/domain/campaigns/campaign-status'
import type { Hands, MenuLine } from './menu-line.ts'
import type { Commands, OpenRecord } from './open-record.tsx'

type Line = { label: string; icon: LucideIcon; href?: string; act?: Act; refusal?: string | null }

/** The actions for the open record that its state allows. */
function buildLines(openRecord: OpenRecord, commands: Commands): Line[] {
  const { id } = openRecord
  if (openRecord.kind === 'dataset')
    return [
      { label: 'New campaign with this dataset', icon: Plus, href: `/campaigns/new?dataset_id=${id}` },
      { label: 'Refused rows', icon: ListX, href: `/datasets/${id}/rejects` },
      { label: 'Dataset sessions', icon: Timer, href: `/datasets/${id}/sessions` },
    ]
  const at = (tab: string) => `/campaigns/${id}${tab}`
  const { status, refusals } = openRecord
  const isDraft = status === 'draft'
  return [
    ...(status !== 'paused' && statusAfter('pause', status)
      ? [
          {
            label: 'Pause this campaign',
            icon: Pause,
            act: commands.pause.bind(null, id),
            refusal: refusals.pause,
          },
        ]
      : []),
    ...(status === 'paused'
      ? [
          {
            label: 'Resume this campaign',
            icon: Play,
            act: commands.resume.bind(null, id),
            refusal: refusals.resume,
          },
        ]
      : []),
    ...(isDraft ? [{ label: 'Review and launch this campaign', icon: Rocket, href: at('/review') }] : []),
    { label: 'Overview of this campaign', icon: Send, href: at('') },
    ...(isDraft
      ? []
      : [
          { label: 'Results of this campaign', icon: ChartNoAxesColumn, href: at('/results') },
          { label: 'Leads of this campaign', icon: Users, href: at('/leads') },
        ]),
    { label: 'Sequence of this campaign', icon: GitCommitHorizontal, href: at('/sequence') },
    { label: 'Schedule of this campaign', icon: Timer, href: at('/schedule') },
    {
      label: 'Duplicate this campaign',
      icon: CopyPlus,
      act: commands.duplicate.bind(null, id),
      refusal: refusals.duplicate,
    },
  ]
}

/** The same as lines of the command menu; a refused action says why. */
export function buildRecordCommands(
  openRecord: OpenRecord,
  commands: Commands,
  { go, choose, run }: Hands,
): MenuLine[] {
  return buildLines(openRecord, commands).map(({ label, icon, href, act, refusal }) => ({
    value: label,
    label,
    icon: refusal ? Lock : icon,
    ...(refusal && { detail: 'Ask an admin' }),
    act: () => {
      if (href) go(href)
      else if (refusal) choose(() => run(async () => ({ ok: false, message: refusal })))
      else if (act) choose(() => run(act))
    },
  }))
}
