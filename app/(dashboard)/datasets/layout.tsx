import { RenameDataset } from '#lib/contracts/datasets/datasets'
import { SectionLock } from '../section-lock.tsx'

export default function DatasetsLayout({ children }: LayoutProps<'/datasets'>) {
  return <SectionLock changes={RenameDataset}>{children}</SectionLock>
}
