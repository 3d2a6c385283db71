/**
 * Makes the labels of codes translatable. lingui's own extractor does not find them, because schemas do not use lingui;
 * this one reads them from `codes.ts`. `shownLabel` finds a translation by the Japanese label.
 */
import type { ExtractorType } from '@lingui/conf'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'

/** Code tables whose labels screens show. */
const SHOWN = new Set(
  `UserFlag ParkingType EmergencyContents CorrespondenceDate StaffContact Risk NoteOpenFlag NoteType QuickReportType Reason1
   Reason2 OrderFlag OrderFlagName NotificationDistribution SafetyDirection SafetyNeedFlag SafetyType SafetyStatus PitDepth
   PitTraffic`.split(/\s+/),
)
const TABLE = /export const (\w+) = codeTable\(\{([^}]*)\}\)/g
/** A label with Japanese letters. Labels in Latin letters are not translated. */
const LABEL = /\['\d+', '([^']*[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}][^']*)'\]/gu

/** @param code the text of `schemas/codes.ts` */
export const labelsIn = (code: string): string[] =>
  [...code.matchAll(TABLE)].flatMap(([, name = '', rows = '']) =>
    SHOWN.has(name) ? [...rows.matchAll(LABEL)].map(([, label = '']) => label) : [],
  )

export const codeLabels: ExtractorType = {
  match: (filename) => filename.endsWith('schemas/codes.ts'),
  extract(filename, code, onMessageExtracted) {
    for (const label of labelsIn(code))
      onMessageExtracted({ id: generateMessageId(label), message: label, origin: [filename, 1] })
  },
}
