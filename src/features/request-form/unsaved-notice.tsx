import { useServices, useValue } from '#data/context/app-context.tsx'
import { UNSAVED } from '#messages/unsaved.ts'
import { FlashBanner } from '#ui/feedback/flash.tsx'

/**
 * Shown inside a question whose answer is saved: says that the save failed on the device, why, and
 * what to do (sync RULES SV1).
 */
export function UnsavedNotice() {
  const { flash } = useServices()
  useValue(flash)
  const banner = flash.at(UNSAVED)
  return banner && <FlashBanner mode={banner.mode} title={banner.title} text={banner.text} />
}
