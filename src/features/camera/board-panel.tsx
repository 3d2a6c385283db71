import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { orderFlagLabel } from '#schemas/resources/request-search.ts'
import { useRequest } from '#data/visits/use-visits.ts'
import { BOARD_FIELDS, MARK_TEXT_MAX, type PhotoBoard } from '#lib/image/marks.ts'
import { inJapanese } from '#lib/language.ts'
import { messageText } from '#messages/messages.ts'
import { RadioGroup } from '#ui/controls/choice.tsx'
import { LabelledField } from '#ui/controls/field.tsx'
import { TextInput } from '#ui/controls/input.tsx'
import type { BoardLabels } from './draw-marks.ts'

const boardLabels = (i18n: I18n): BoardLabels => ({
  code: i18n._(msg`依頼番号`),
  place: i18n._(msg`現場`),
  device: i18n._(msg`機器`),
  work: i18n._(msg`作業`),
  day: i18n._(msg`日付`),
  state: i18n._(msg`状態`),
  note: i18n._(msg`備考`),
})

/** Returns the blackboard's labels for drawing. They are Japanese in every language of the app (decisions/screens). */
export function useDrawnLabels(): BoardLabels {
  const { i18n } = useLingui()
  return inJapanese(() => boardLabels(i18n))
}

const STATES = [msg`作業前`, msg`作業中`, msg`作業後`]

/** Returns a new blackboard (黒板), filled in from the request. @param takenAt time of the photo, ISO 8601 */
export function useFilledBoard(requestId: string, takenAt: string): PhotoBoard {
  const { i18n } = useLingui()
  const found = useRequest(requestId)
  const request = typeof found === 'string' ? null : found
  const [first = '', ...others] = (request?.detail?.devices ?? []).map(
    (each) => each.deviceModel ?? each.deviceId,
  )
  const n = others.length
  const texts = {
    code: request?.requestCode ?? '',
    place: request?.locationName ?? '',
    device: n > 0 ? inJapanese(() => i18n._(msg`${first}ほか${n}台`)) : first,
    work: request?.orderFlag ? orderFlagLabel(request.orderFlag) : '',
    day: takenAt.slice(0, 10).replaceAll('-', '/'),
    state: '',
    note: '',
  }
  return { isShown: true, corner: 'bottom-left', texts }
}

interface BoardPanelProps {
  board: PhotoBoard
  onChange: (board: PhotoBoard) => void
}

export function BoardPanel({ board, onChange }: BoardPanelProps) {
  const { t, i18n } = useLingui()
  const labels = boardLabels(i18n)
  const change = (texts: Partial<PhotoBoard['texts']>) =>
    onChange({ ...board, texts: { ...board.texts, ...texts } })
  return (
    <>
      <RadioGroup
        legend={labels.state}
        cols={3}
        options={STATES.map((each) => ({ value: inJapanese(() => i18n._(each)), label: i18n._(each) }))}
        value={board.texts.state}
        onChange={(state) => change({ state })}
      />
      {BOARD_FIELDS.filter((field) => field !== 'state').map((field) => (
        <MarkText
          key={field}
          label={labels[field]}
          value={board.texts[field]}
          onChange={(text) => change({ [field]: text })}
        />
      ))}
      <RadioGroup
        legend={t`黒板の位置`}
        cols={2}
        options={[
          { value: 'top-left', label: t`左上` },
          { value: 'top-right', label: t`右上` },
          { value: 'bottom-left', label: t`左下` },
          { value: 'bottom-right', label: t`右下` },
        ]}
        value={board.corner}
        onChange={(corner) => onChange({ ...board, corner })}
      />
    </>
  )
}

interface MarkTextProps {
  label: string
  help?: string
  value: string
  onChange: (text: string) => void
}

/** A field for a text of the blackboard or of a text mark. An overlong text is not cut; the field shows an error. */
export function MarkText({ label, help, value, onChange }: MarkTextProps) {
  const { i18n } = useLingui()
  const max = MARK_TEXT_MAX
  const isTooLong = value.length > max
  return (
    <LabelledField
      label={label}
      help={help}
      count={{ n: value.length, max }}
      error={isTooLong ? messageText(i18n, 'ec00003', { field: label, n: max }) : undefined}
    >
      <TextInput value={value} autoComplete="off" onChange={({ target }) => onChange(target.value)} />
    </LabelledField>
  )
}
