import { WorkLock } from '../../section-lock.tsx'

export default async function TemplateLayout({ children, params }: LayoutProps<'/templates/[template_id]'>) {
  const { template_id } = await params
  return <WorkLock work={{ name: 'template_id', id: template_id }}>{children}</WorkLock>
}
