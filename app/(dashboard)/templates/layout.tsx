import { ImageUploads } from '#components/messages/rich/uploads'
import { UpdateTemplate } from '#lib/contracts/messages/templates'
import { uploadImage } from '../images.ts'
import { SectionLock } from '../section-lock.tsx'

export default function TemplatesLayout({ children }: LayoutProps<'/templates'>) {
  return (
    <SectionLock changes={UpdateTemplate}>
      <ImageUploads upload={uploadImage}>{children}</ImageUploads>
    </SectionLock>
  )
}
