import { clsx } from 'clsx'
import Image from 'next/image'

/** Its address is signed and of this instance; there is nothing to optimise. */
export function PostImage({ src, className }: { src: string; className?: string }) {
  return (
    <Image
      unoptimized
      src={src}
      alt=""
      width={1200}
      height={630}
      className={clsx('h-auto w-full bg-sunken object-contain', className)}
    />
  )
}

/** The same file below the address that the page was opened under, which a page may load from. */
export const imagePath = (url: string): string => new URL(url).pathname
