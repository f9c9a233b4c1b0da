'use client'

import { createContext, type ReactNode } from 'react'

export type UploadImage = (
  form: FormData,
) => Promise<{ ok: true; url: string } | { ok: false; message: string }>

/** How the user uploads images; null: not possible. The upload code is loaded with the editor. */
export const Uploads = createContext<UploadImage | null>(null)

type Props = { upload: UploadImage; children: ReactNode }

/** Allows image uploads in the editors inside. */
export const ImageUploads = ({ upload, children }: Props) => <Uploads value={upload}>{children}</Uploads>
