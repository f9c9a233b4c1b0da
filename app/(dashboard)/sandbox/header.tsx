import { PageHeader } from '#components/ui/layout/page-header'
import { Tabs } from '#components/ui/layout/tabs'

type Props = { title: string; description: string; current: 'mail' | 'network' }

/** Header of the two pages that show what the sandbox received. */
export function SandboxHeader({ title, description, current }: Props) {
  return (
    <PageHeader
      title={title}
      description={description}
      below={
        <Tabs
          label="Sandboxes"
          tabs={[
            { href: '/sandbox/mail', label: 'Mail', current: current === 'mail' },
            { href: '/sandbox/network', label: 'Network', current: current === 'network' },
          ]}
        />
      }
    />
  )
}
