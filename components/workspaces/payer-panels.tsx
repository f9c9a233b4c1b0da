import { ActionButton } from '#components/ui/controls/action-button'
import type { FormResult } from '#components/ui/controls/action-form'
import { counted } from '#components/ui/counted'
import { Badge } from '#components/ui/feedback/badge'
import { Panel } from '#components/ui/layout/panel'
import { AskAdmin } from '#components/workspaces/ask-admin'
import type { Payer, Plan } from '#lib/contracts/billing/payer'
import type { Agency } from '#lib/contracts/workspaces/agency'
import type { Role } from '#lib/domain/workspaces/roles'
import { tierLabel } from './tier-form.tsx'

type Change = (workspace_id: string) => Promise<FormResult>
type Props = {
  payer: Payer
  /** The child workspaces. */
  below: Agency['children']
  role: Role
  letPay: Change
  endPaying: Change
}

const planWords = ({ tier, tier_limit, active_keys }: Plan) =>
  `${tierLabel(tier)}, ${active_keys} of ${tier_limit} API keys in use`

/** What happens to API keys beyond the plan's limit. */
const overWords = ({ tier_limit, active_keys }: Plan) =>
  active_keys > tier_limit
    ? ` All ${active_keys} keep working. You can create a new one below ${tier_limit}.`
    : ''

/** For a child workspace, who pays for it; for a parent, for whom it pays. */
export function PayerPanels(props: Props) {
  if (props.payer.parent) return <ChildPanel {...props} parent={props.payer.parent.name} />
  return props.below.length > 0 ? <ChildrenPanel {...props} /> : null
}

function ChildPanel({ payer: found, parent, role, letPay, endPaying }: Props & { parent: string }) {
  const { workspace_id, payer, by_itself, by_parent } = found
  return (
    <Panel
      title={payer ? `${parent} pays` : 'Billed by itself'}
      description={
        payer
          ? `For the tier and invoices, ask ${payer.owner.name} (${payer.owner.email}). On its own it would have ${planWords(by_itself)}.`
          : by_parent &&
            `If ${parent} pays, it has the plan of ${parent}: ${planWords(by_parent)}, these included.`
      }
    >
      <AskAdmin role={role} needs="owner">
        {payer ? (
          <ActionButton
            act={endPaying.bind(null, workspace_id)}
            confirm={{
              title: 'Let this workspace pay for itself?',
              description: `It then has ${planWords(by_itself)}.${overWords(by_itself)}`,
              label: 'Let it pay',
              danger: true,
            }}
          >
            Let it pay for itself
          </ActionButton>
        ) : (
          by_parent && (
            <ActionButton
              act={letPay.bind(null, workspace_id)}
              confirm={{
                title: `Let ${parent} pay?`,
                description: `It then has ${planWords(by_parent)}, together with ${parent} and all that it pays for.${overWords(by_parent)} You must own both workspaces.`,
                label: 'Let it pay',
              }}
            >
              Let {parent} pay
            </ActionButton>
          )
        )}
      </AskAdmin>
    </Panel>
  )
}

function ChildrenPanel({ payer, below, ...rest }: Props) {
  return (
    <Panel
      title="Children"
      description="Workspaces you pay for have your tier. Their API keys count together."
      flush
    >
      <ul className="divide-y divide-border">
        {below.map((child) => (
          <Child
            key={child.workspace_id}
            {...child}
            {...rest}
            keys={payer.pays_for.find((one) => one.workspace_id === child.workspace_id)?.active_keys ?? 0}
          />
        ))}
      </ul>
    </Panel>
  )
}

type ChildProps = Agency['children'][number] & Pick<Props, 'role' | 'letPay' | 'endPaying'> & { keys: number }

function Child({ workspace_id, name, billed_by_parent: isPaid, keys, role, letPay, endPaying }: ChildProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-2 px-4 py-2 text-sm">
      <span className="flex min-w-0 flex-wrap items-center gap-2">
        <span className="wrap-anywhere">{name}</span>
        {isPaid ? <Badge>You pay</Badge> : <span className="text-muted">pays for itself</span>}
        {isPaid && <span className="text-muted">{counted(keys, 'API keys')}</span>}
      </span>
      <AskAdmin role={role} needs="owner">
        {isPaid ? (
          <ActionButton
            size="sm"
            variant="ghost"
            aria-label={`Stop paying: ${name}`}
            act={endPaying.bind(null, workspace_id)}
            confirm={{
              title: `Stop paying for ${name}?`,
              description: `It then pays for itself, and is on Free until it does. Its ${counted(keys, 'API keys')} ${keys === 1 ? 'keeps' : 'keep'} working. No new keys can be created above its own tier’s limit.`,
              label: 'Stop paying',
              danger: true,
            }}
          >
            Stop paying
          </ActionButton>
        ) : (
          <ActionButton
            size="sm"
            variant="ghost"
            aria-label={`Pay: ${name}`}
            act={letPay.bind(null, workspace_id)}
            confirm={{
              title: `Pay for ${name}?`,
              description:
                'It gets your tier, and its API keys count with yours. You must own both workspaces.',
              label: 'Pay',
            }}
          >
            Pay
          </ActionButton>
        )}
      </AskAdmin>
    </li>
  )
}
