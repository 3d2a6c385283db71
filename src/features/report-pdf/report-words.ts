/**
 * The texts of 作業報告書 and 写真台帳. Unconfirmed content is marked, and なし appears only if the device has read the content.
 * The texts are Japanese in every language of the app (decisions/screens).
 */
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import type { SendState } from '#schemas/changes/change-queue.ts'
import { SafetyType } from '#schemas/codes.ts'
import { fieldText } from '#data/resources/field-text.ts'
import { emergencyReport } from '#schemas/resources/emergency-report.ts'
import { orderFlagLabel } from '#schemas/resources/request-search.ts'
import { goesWith, quickReport } from '#schemas/resources/quick-report.ts'
import { useServices, useSession } from '#data/context/app-context.tsx'
import { isUnnecessary, type SafetyRow } from '#data/resources/safety-measures.ts'
import { requestFacts } from '#data/visits/request-facts.ts'
import { shownPhoto } from '#features/photo/shown-photo.ts'
import { fullDayText, stampText, toTokyoIso } from '#lib/time/tokyo-time.ts'
import { inJapanese } from '#lib/language.ts'
import { sendStateWords } from '#ui/feedback/send-state.tsx'
import type { PerSheet } from './pdf/paper.ts'
import { isSigned, type Signature } from './signature.ts'
import type { DayPhoto, ReportFacts } from './use-report-facts.ts'
import type { ReportPhoto, ReportSection, WorkReport } from './work-report.ts'

interface Speaker {
  say: (text: MessageDescriptor) => string
  /** Returns CRM確認済, or 未送信 with the send state. */
  stateOf: (unsent: SendState | null) => string
  at: string
  by: string
}

export function useReportWords() {
  const { i18n } = useLingui()
  const { clock } = useServices()
  const by = useSession()?.userInfo.loginUserName ?? ''
  const speaker = (): Speaker => ({
    say: (text) => i18n._(text),
    stateOf: (unsent) => {
      const word = unsent && i18n._(sendStateWords[unsent])
      return i18n._(word ? msg`未送信（${word}）` : msg`CRM確認済`)
    },
    at: stampText(toTokyoIso(clock.now())),
    by,
  })
  return {
    workReport: (...of: [ReportFacts, Signature, PerSheet]) =>
      japaneseReport(() => workReport(speaker(), ...of)),
    photoLedger: (...of: [readonly DayPhoto[], string, PerSheet]) =>
      japaneseReport(() => photoLedger(speaker(), ...of)),
  }
}

/** Makes a report in Japanese. `proven` is called later, while the report is drawn, so it switches the language again. */
function japaneseReport(make: () => WorkReport): WorkReport {
  const report = inJapanese(make)
  const { proven } = report.photos
  return { ...report, photos: { ...report.photos, proven: (proof) => inJapanese(() => proven(proof)) } }
}

function workReport(speaker: Speaker, facts: ReportFacts, signature: Signature, perSheet: PerSheet) {
  const { say, at, by } = speaker
  const { requestCode, workingDate } = facts.request
  return {
    title: say(msg`作業報告書 ${requestCode} ${workingDate}`),
    lead: [
      say(msg`作成 ${at}　作成者 ${by}`),
      say(msg`「未送信」と書かれた項目は、作成した時点でCRMがまだ確認していません。`),
    ],
    sections: [
      requestSection(speaker, facts),
      machineSection(speaker, facts),
      visitSection(speaker, facts),
      safetySection(speaker, facts),
      ...emergencySections(speaker, facts),
      ...(isSigned(signature) ? [signatureSection(speaker, signature)] : []),
    ],
    photos: {
      heading: say(msg`写真（この端末にあるもの）`),
      all: reportPhotos(speaker, facts),
      perSheet,
      ...photoTexts(speaker),
    },
    footer: say(msg`${requestCode}　端末で作成 ${at}`),
  }
}

/** Returns 写真台帳 of a day: a report with photos only. */
function photoLedger(speaker: Speaker, photos: readonly DayPhoto[], day: string, perSheet: PerSheet) {
  const { say, at } = speaker
  const dayText = fullDayText(day)
  const count = photos.length
  const owners: Readonly<Record<string, string>> = {
    safetyMeasures: say(msg`安全対策`),
    emergencyReports: say(msg`緊急報告`),
  }
  const ownerOf = ({ photo, request }: DayPhoto) =>
    joined(request?.requestCode, request?.locationName, owners[photo.resource])
  return {
    title: say(msg`写真台帳 ${dayText}`),
    lead: [say(msg`作成 ${at}　写真 ${count}枚（この端末にあるもの）`)],
    sections: [],
    photos: {
      heading: say(msg`写真`),
      all: photos.map((each) => captioned(speaker, each, ownerOf(each))),
      perSheet,
      ...photoTexts(speaker),
    },
    footer: say(msg`写真台帳 ${dayText}　端末で作成 ${at}`),
  }
}

const joined = (...parts: readonly (string | null | undefined)[]) => parts.filter(Boolean).join('　')

function requestSection({ say, stateOf }: Speaker, { request }: ReportFacts): ReportSection {
  const { place, address, day, time, customer, situation } = requestFacts(request)
  const none = say(msg`なし`)
  return {
    heading: say(msg`依頼`),
    state: stateOf(null),
    rows: [
      [say(msg`依頼番号`), request.requestCode],
      [say(msg`種別`), request.orderFlag === null ? none : orderFlagLabel(request.orderFlag)],
      [say(msg`作業場所`), place || none],
      [say(msg`住所`), address || none],
      [say(msg`契約先`), customer || none],
      [say(msg`作業日`), day],
      [say(msg`作業時間`), time || none],
      [say(msg`現況`), situation || none],
    ],
  }
}

function machineSection({ say, stateOf }: Speaker, { request }: ReportFacts): ReportSection {
  const heading = say(msg`機器`)
  const devices = request.detail?.devices
  if (!devices) return { heading, note: say(msg`まだ読み込んでいません`) }
  const none = say(msg`なし`)
  return {
    heading,
    state: stateOf(null),
    rows: devices.map(({ deviceId, deviceModel, site1, site2 }) => [
      deviceModel ?? deviceId,
      [site1, site2].filter(Boolean).join(' ') || none,
    ]),
    note: devices.length === 0 ? none : undefined,
  }
}

function visitSection({ say, stateOf }: Speaker, { report, record }: ReportFacts): ReportSection {
  const heading = say(msg`入退館・作業内容`)
  if (!report) return { heading, note: say(msg`入館は登録されていません`) }
  const { inTime, outTime, type, reportContent, detailed, unsent } = report
  const [none, notYet] = [say(msg`なし`), say(msg`未登録`)]
  const unknown = detailed ? none : say(msg`詳細はまだ端末に保存されていません`)
  const textOf = (name: 'type' | 'reason1' | 'reason2') =>
    fieldText(quickReport, name, report[name], record?.server)
  const reasonOf = (name: 'reason1' | 'reason2') =>
    type && !goesWith(name, type) ? none : textOf(name) || unknown
  return {
    heading,
    state: stateOf(unsent?.state ?? null),
    rows: [
      [say(msg`入館時刻`), stampText(inTime) || notYet],
      [say(msg`退館時刻`), stampText(outTime) || notYet],
      [say(msg`作業区分`), textOf('type') || notYet],
      [say(msg`残作業の理由`), reasonOf('reason1')],
      [say(msg`中止・延期の理由`), reasonOf('reason2')],
      [say(msg`その他報告内容`), reportContent || unknown],
    ],
  }
}

function safetySection({ say, stateOf }: Speaker, { safety }: ReportFacts): ReportSection {
  const valueOf = ({ measure, isUnknown }: SafetyRow) => {
    if (isUnknown) return say(msg`まだ読み込んでいません`)
    if (!measure) return say(msg`未登録`)
    const { createdAt, createdBy, unsent } = measure
    const word = say(isUnnecessary(measure) ? msg`不要` : msg`登録済`)
    return joined(word, stampText(createdAt), createdBy, stateOf(unsent))
  }
  return {
    heading: say(msg`安全対策`),
    rows: safety.map((row) => [SafetyType.label(row.type), valueOf(row)]),
    note: safety.length === 0 ? say(msg`なし`) : undefined,
  }
}

function emergencySections({ say, stateOf }: Speaker, { emergencies, areEmergenciesRead }: ReportFacts) {
  const none = say(msg`なし`)
  const found = emergencies.map(({ record, content, createdAt, unsent }, at): ReportSection => {
    const n = at + 1
    const textOf = (name: keyof typeof content) =>
      fieldText(emergencyReport, name, content[name], record.server) || none
    return {
      heading: say(emergencies.length === 1 ? msg`緊急報告` : msg`緊急報告 ${n}`),
      state: stateOf(unsent),
      rows: [
        [say(msg`登録日時`), stampText(createdAt) || say(msg`登録日時不明`)],
        [say(msg`緊急内容`), textOf('emergencyContents')],
        [say(msg`リスク`), textOf('risk')],
        [say(msg`対応日`), textOf('correspondenceDate')],
        [say(msg`TTS担当者への連絡`), textOf('ttsStaffContact')],
        [say(msg`緊急内容詳細`), textOf('emergencyContentsDetails')],
      ],
    }
  })
  if (found.length === 0)
    return [
      { heading: say(msg`緊急報告`), note: areEmergenciesRead ? none : say(msg`まだ読み込んでいません`) },
    ]
  const others = { heading: say(msg`ほかの緊急報告`), note: say(msg`ほかの緊急報告はまだ読み込んでいません`) }
  return areEmergenciesRead ? found : [...found, others]
}

function signatureSection({ say }: Speaker, { name, at, strokes }: Signature): ReportSection {
  return {
    heading: say(msg`立会者の署名`),
    rows: [
      [say(msg`立会者名`), name || say(msg`記入なし`)],
      [say(msg`署名日時`), stampText(at)],
    ],
    drawing: { strokes, alt: say(msg`立会者の署名 ${name}`) },
  }
}

function reportPhotos(speaker: Speaker, { safety, photos }: ReportFacts): ReportPhoto[] {
  const { say } = speaker
  return photos.map((each) => {
    const row = safety.find(({ measure }) => measure?.key === each.photo.recordKey)
    const type = row && SafetyType.label(row.type)
    return captioned(speaker, each, say(type ? msg`安全対策（${type}）` : msg`緊急報告`))
  })
}

function captioned(
  { say, stateOf }: Speaker,
  { photo, unsent }: ReportFacts['photos'][number],
  owner: string,
): ReportPhoto {
  const { key, name, takenAt, placeInfo } = shownPhoto(photo)
  const at = stampText(takenAt) || say(msg`不明`)
  const place = placeInfo || say(msg`不明`)
  return {
    key,
    fileName: photo.storeName || name,
    name: `${owner} ${name}`,
    captions: [joined(owner, stateOf(unsent?.state ?? null)), say(msg`撮影 ${at}　位置 ${place}`)],
  }
}

const photoTexts = ({ say }: Speaker): Pick<WorkReport['photos'], 'why' | 'proven'> => ({
  why: { absent: say(msg`この写真はこの端末にありません`), broken: say(msg`この写真は描けません`) },
  // The text must not call the photos certified.
  proven({ photos: { length: count }, days }) {
    return {
      heading: say(msg`写真の記録`),
      rows: days.map(({ day, head }) => [fullDayText(day), head]),
      note: say(
        msg`写真${count}枚の記録がこのPDFに入っています。アプリの「写真の照合」で、写真があとから変わっていないかを確かめられます。第三者による証明ではありません。`,
      ),
    }
  },
})
