import { clsx } from 'clsx'
import Image from 'next/image'

/** The URL is signed and on this instance, so there is nothing to optimize. */
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

/** The same file under the origin of the current page, from which the policy allows loading. */
export const imagePath = (url: string): string => new URL(url).pathname
