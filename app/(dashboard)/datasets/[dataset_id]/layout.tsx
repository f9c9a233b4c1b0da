import { WorkLock } from '../../section-lock.tsx'

export default async function DatasetLayout({ children, params }: LayoutProps<'/datasets/[dataset_id]'>) {
  const { dataset_id } = await params
  return <WorkLock work={{ name: 'dataset_id', id: dataset_id }}>{children}</WorkLock>
}
