import { ListSkeleton } from '#components/ui/list-skeleton'

export default function Loading() {
  return <ListSkeleton filters />
}
