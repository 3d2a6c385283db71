import { useServices, useValue } from '#data/context/app-context.tsx'
import { UNSAVED } from '#messages/unsaved.ts'
import { FlashBanner } from '#ui/feedback/flash.tsx'

/** The banner about a failed save, shown inside the confirmation sheet, which covers the page's banners (sync RULES SV1). */
export function UnsavedNotice() {
  const { flash } = useServices()
  useValue(flash)
  const banner = flash.at(UNSAVED)
  return banner && <FlashBanner mode={banner.mode} title={banner.title} text={banner.text} />
}
