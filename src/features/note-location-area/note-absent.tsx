import { useServices } from '#data/app-context.tsx'
import { BackLink } from '#ui/app-bar.tsx'
import { NotOnDevice } from '#ui/not-on-device.tsx'
import { ViewSkeleton } from '#ui/skeleton.tsx'

/** While the device is read, or when it does not have the note or its request. */
export function NoteAbsent({ title, loading }: { title: string; loading: boolean }) {
  const { Frame } = useServices()
  return (
    <Frame title={title} back={<BackLink to="/request" />} center={!loading}>
      {loading ? <ViewSkeleton /> : <NotOnDevice />}
    </Frame>
  )
}
