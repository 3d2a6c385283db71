import { useServices, useValue } from '#data/context/app-context.tsx'
import { UNSAVED } from '#messages/unsaved.ts'
import { FlashBanner } from '#ui/feedback/flash.tsx'

/**
 * The banner of a save that failed on this device, inside the question whose answer was to be saved. The question covers
 * the usual banner (sync RULES SV1).
 */
export function UnsavedNotice() {
  const { flash } = useServices()
  useValue(flash)
  const banner = flash.at(UNSAVED)
  return banner && <FlashBanner mode={banner.mode} title={banner.title} text={banner.text} />
}
