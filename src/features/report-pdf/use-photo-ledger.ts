import { useLingui } from '@lingui/react/macro'
import { useServices } from '#data/context/app-context.tsx'
import { fullDayText, stampText, toTokyoIso } from '#lib/time/tokyo-time.ts'
import type { PerSheet } from './pdf/paper.ts'
import type { DayPhoto } from './use-report-facts.ts'
import { usePhotoCaption, useReasons } from './use-work-report.ts'
import type { WorkReport } from './work-report.ts'

/** Puts the photos of a day into the words of 写真台帳: a report that has nothing but photos. */
export function usePhotoLedger(): (
  photos: readonly DayPhoto[],
  day: string,
  perSheet: PerSheet,
) => WorkReport {
  const { t } = useLingui()
  const { clock } = useServices()
  const captionOf = usePhotoCaption()
  const why = useReasons()
  const owners: Readonly<Record<string, string>> = {
    safetyMeasures: t`安全対策`,
    emergencyReports: t`緊急報告`,
  }
  return (photos, day, perSheet) => {
    const at = stampText(toTokyoIso(clock.now()))
    const dayText = fullDayText(day)
    const count = photos.length
    return {
      title: t`写真台帳 ${dayText}`,
      lead: [t`作成 ${at}　写真 ${count}枚（この端末にあるもの）`],
      sections: [],
      signature: null,
      photos: {
        heading: t`写真`,
        all: photos.map(({ photo, unsent, request }) => {
          const place = [request?.requestCode, request?.locationName].filter(Boolean).join('　')
          const owner = [place, owners[photo.resource]].filter(Boolean).join('　')
          return captionOf(photo, owner, unsent)
        }),
        perSheet,
        why,
      },
      footer: t`写真台帳 ${dayText}　端末で作成 ${at}`,
    }
  }
}
