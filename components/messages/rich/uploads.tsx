'use client'

import { createContext, type ReactNode } from 'react'

export type UploadImage = (
  form: FormData,
) => Promise<{ ok: true; url: string } | { ok: false; message: string }>

/** How an image is uploaded by whoever writes; null: it is not. What uploads one comes with the editor. */
export const Uploads = createContext<UploadImage | null>(null)

type Props = { upload: UploadImage; children: ReactNode }

/** Whoever writes below it may upload images. */
export const ImageUploads = ({ upload, children }: Props) => <Uploads value={upload}>{children}</Uploads>
