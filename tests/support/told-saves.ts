/** Saves as the app tells them, with 元に戻す, on a device of the replication's tests. */
import { onTestFinished } from 'vitest'
import { notifySaves } from '#app/shell/save-notifications.ts'
import { noting } from '#data/changes/changes.ts'
import { createFlashStore } from '#data/context/flash-store.ts'
import { createFormDrafts } from '#data/drafts/drafts.ts'
import { saveDraft, type DraftTarget } from '#data/drafts/save-draft.ts'
import { i18n } from './i18n.ts'
import { until, type Device } from './device.ts'
import { testSession, testValue } from './render-feature.tsx'

/** The banners of this device's saves, as the app tells them. */
export function told(device: Device, isOnline = false) {
  const flash = createFlashStore()
  const online = testValue(isOnline)
  const { db, bytes } = device
  const drafts = createFormDrafts({ db, bytes })
  const session = testValue({ ...testSession })
  const telling = notifySaves({ ...device.saver(), bytes, drafts, flash, online, session, i18n })
  onTestFinished(telling.stop)
  const save = async (
    write: (device: Device) => Promise<unknown>,
    values?: object,
    target: DraftTarget | null = null,
  ) => {
    const { saver, stamps } = noting(device.saver())
    const form = values ? { key: FORM, values, kept: Promise.resolve() } : null
    const written = () => write({ ...device, saver: () => saver })
    await (form ? saveDraft({ ...saver, bytes }, form, target, written) : written())
    telling.saved(stamps, '/form', form)
  }
  const banner = () => flash.get()[0]
  const back = async () => (await until(() => banner()?.act ?? false)).run()
  return { flash, online, drafts, save, banner, back, said: (text: string) => until(() => saying(text)) }
  function saying(text: string) {
    return flash.get().some((each) => each.text.startsWith(text))
  }
}

export const FORM = 'noteLocationArea/add/1'
