import { useLingui } from '@lingui/react/macro'
import type { SendState } from '#schemas/changes/change-queue.ts'
import { SafetyType } from '#schemas/codes.ts'
import { emergencyReport } from '#schemas/resources/emergency-report.ts'
import { fieldText } from '#schemas/declare/form-values.ts'
import { orderFlagLabel } from '#schemas/resources/order-flag.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import { goesWith, quickReport } from '#schemas/resources/quick-report.ts'
import { useServices, useSession } from '#data/context/app-context.tsx'
import type { ShownRecord } from '#data/resources/records-of-request.ts'
import { requestFacts } from '#data/visits/request-facts.ts'
import { isUnnecessary, type SafetyRow } from '#data/resources/safety-measures.ts'
import { shownPhoto } from '#features/photo/shown-photo.ts'
import { stampText, toTokyoIso } from '#lib/time/tokyo-time.ts'
import { useSendStateWords } from '#ui/feedback/send-state.tsx'
import type { PerSheet } from './pdf/paper.ts'
import type { ReportPhoto } from './report-photos.ts'
import type { ReportFacts } from './use-report-facts.ts'
import { isSigned, type Signature } from './signature.ts'
import type { ReportSection, ReportSignature, WorkReport } from './work-report.ts'

/** What the user adds to it. */
interface Chosen {
  perSheet: PerSheet
  signature: Signature
}

/** Puts the facts into the words of 作業報告書. */
export function useWorkReport(): (facts: ReportFacts, chosen: Chosen) => WorkReport {
  const { t } = useLingui()
  const { clock } = useServices()
  const by = useSession()?.userInfo.loginUserName ?? ''
  const photosOf = useReportPhotos()
  const why = useReasons()
  const signed = (signature: Signature): ReportSignature => {
    const { name, strokes } = signature
    const rows = [
      { label: t`立会者名`, value: name || t`記入なし` },
      { label: t`署名日時`, value: stampText(signature.at) },
    ]
    const section = { heading: t`立会者の署名`, state: '', rows }
    return { section, strokes, name: t`立会者の署名 ${name}` }
  }
  const sections = [useRequestSections(), useVisitSection(), useSafetySection(), useEmergencySections()]
  return (facts, { perSheet, signature }) => {
    const { requestCode, workingDate } = facts.request
    const at = stampText(toTokyoIso(clock.now()))
    return {
      title: t`作業報告書 ${requestCode} ${workingDate}`,
      lead: [
        t`作成 ${at}　作成者 ${by}`,
        t`「未送信」と書かれた項目は、作成した時点でCRMがまだ確認していません。`,
      ],
      sections: sections.flatMap((of) => of(facts)),
      signature: isSigned(signature) ? signed(signature) : null,
      photos: {
        heading: t`写真（この端末にあるもの）`,
        all: photosOf(facts),
        perSheet,
        why,
      },
      footer: t`${requestCode}　端末で作成 ${at}`,
    }
  }
}

type Sections = (facts: ReportFacts) => ReportSection[]

/** What is in the CRM, and what is on this device alone. */
function useStateText(): (unsent: SendState | null) => string {
  const { t } = useLingui()
  const words = useSendStateWords()
  return (unsent) => {
    const word = unsent && words[unsent]
    return word ? t`未送信（${word}）` : t`CRM確認済`
  }
}

function useRequestSections(): Sections {
  const { t } = useLingui()
  const stateOf = useStateText()
  return ({ request }) => {
    const { place, address, day, time, customer, situation } = requestFacts(request)
    const none = t`なし`
    const devices = request.detail?.devices
    const machines = (devices ?? []).map(({ deviceId, deviceModel, site1, site2 }) => ({
      label: deviceModel ?? deviceId,
      value: [site1, site2].filter(Boolean).join(' ') || none,
    }))
    return [
      {
        heading: t`依頼`,
        state: stateOf(null),
        rows: [
          { label: t`依頼番号`, value: request.requestCode },
          { label: t`種別`, value: request.orderFlag === null ? none : orderFlagLabel(request.orderFlag) },
          { label: t`作業場所`, value: place || none },
          { label: t`住所`, value: address || none },
          { label: t`契約先`, value: customer || none },
          { label: t`作業日`, value: day },
          { label: t`作業時間`, value: time || none },
          { label: t`現況`, value: situation || none },
        ],
      },
      {
        heading: t`機器`,
        state: devices ? stateOf(null) : '',
        rows: machines,
        note: devices ? (devices.length === 0 ? none : undefined) : t`まだ読み込んでいません`,
      },
    ]
  }
}

function useVisitSection(): Sections {
  const { t } = useLingui()
  const stateOf = useStateText()
  return ({ report, record }) => {
    const heading = t`入退館・作業内容`
    if (!report) return [{ heading, state: '', rows: [], note: t`入館は登録されていません` }]
    const textOf = (name: 'type' | 'reason1' | 'reason2') =>
      fieldText(quickReport, name, report[name], record?.server)
    const unknown = report.detailed ? t`なし` : t`詳細はまだ端末に保存されていません`
    const reasonOf = (name: 'reason1' | 'reason2') =>
      report.type && !goesWith(name, report.type) ? t`なし` : textOf(name) || unknown
    return [
      {
        heading,
        state: stateOf(report.unsent?.state ?? null),
        rows: [
          { label: t`入館時刻`, value: stampText(report.inTime) || t`未登録` },
          { label: t`退館時刻`, value: stampText(report.outTime) || t`未登録` },
          { label: t`作業区分`, value: textOf('type') || t`未登録` },
          { label: t`残作業の理由`, value: reasonOf('reason1') },
          { label: t`中止・延期の理由`, value: reasonOf('reason2') },
          { label: t`その他報告内容`, value: report.reportContent || unknown },
        ],
      },
    ]
  }
}

function useSafetySection(): Sections {
  const { t } = useLingui()
  const stateOf = useStateText()
  const valueOf = ({ measure, isUnknown }: SafetyRow) => {
    if (isUnknown) return t`まだ読み込んでいません`
    if (!measure) return t`未登録`
    const word = isUnnecessary(measure) ? t`不要` : t`登録済`
    return [word, stampText(measure.createdAt), measure.createdBy, stateOf(measure.unsent)]
      .filter(Boolean)
      .join('　')
  }
  return ({ safety }) => [
    {
      heading: t`安全対策`,
      state: '',
      rows: safety.map((row) => ({ label: SafetyType.label(row.type), value: valueOf(row) })),
      note: safety.length === 0 ? t`なし` : undefined,
    },
  ]
}

/** 安全対策（酸欠）, 緊急報告: whose photo, when and where it was taken, and whether the file store has it. */
function useReportPhotos(): (facts: ReportFacts) => ReportPhoto[] {
  const { t } = useLingui()
  const captionOf = usePhotoCaption()
  return ({ photos }) =>
    photos.map(({ photo, unsent, of }) => {
      const type = of.safetyType === null ? '' : SafetyType.label(of.safetyType)
      return captionOf(photo, of.safetyType === null ? t`緊急報告` : t`安全対策（${type}）`, unsent)
    })
}

/** A photo with its words. */
export function usePhotoCaption(): (
  photo: PhotoRecord,
  owner: string,
  unsent: SendState | null,
) => ReportPhoto {
  const { t } = useLingui()
  const stateOf = useStateText()
  return (photo, owner, unsent) => {
    const { key, name, takenAt, placeInfo } = shownPhoto(photo)
    const at = stampText(takenAt) || t`不明`
    const place = placeInfo || t`不明`
    return {
      key,
      name: `${owner} ${name}`,
      captions: [`${owner}　${stateOf(unsent)}`, t`撮影 ${at}　位置 ${place}`],
    }
  }
}

/** What is said in the place of a photo. */
export function useReasons(): WorkReport['photos']['why'] {
  const { t } = useLingui()
  return { absent: t`この写真はこの端末にありません`, broken: t`この写真は描けません` }
}

function useEmergencySections(): Sections {
  const { t } = useLingui()
  const stateOf = useStateText()
  const sectionOf = (
    { record, content, createdAt, unsent }: ShownRecord<'emergencyReports'>,
    at: number,
    all: readonly unknown[],
  ): ReportSection => {
    const n = at + 1
    const rowOf = (name: keyof typeof content, label: string) => ({
      label,
      value: fieldText(emergencyReport, name, content[name], record.server) || t`なし`,
    })
    return {
      heading: all.length === 1 ? t`緊急報告` : t`緊急報告 ${n}`,
      state: stateOf(unsent),
      rows: [
        { label: t`登録日時`, value: stampText(createdAt) || t`登録日時不明` },
        rowOf('emergencyContents', t`緊急内容`),
        rowOf('risk', t`リスク`),
        rowOf('correspondenceDate', t`対応日`),
        rowOf('ttsStaffContact', t`TTS担当者への連絡`),
        rowOf('emergencyContentsDetails', t`緊急内容詳細`),
      ],
    }
  }
  return ({ emergencies, areEmergenciesRead }) => {
    const found = emergencies.map(sectionOf)
    if (areEmergenciesRead && found.length > 0) return found
    const note = areEmergenciesRead
      ? t`なし`
      : found.length > 0
        ? t`ほかの緊急報告はまだ読み込んでいません`
        : t`まだ読み込んでいません`
    const heading = found.length > 0 ? t`ほかの緊急報告` : t`緊急報告`
    return [...found, { heading, state: '', rows: [], note }]
  }
}
