import { useLingui } from '@lingui/react'
import { messageText } from '#messages/messages.ts'
import { CheckList } from '#ui/tick.tsx'
import { useBoundField } from '#form/use-bound-field.ts'
import type { Checklist } from './checklists.ts'

interface CheckFieldProps {
  list: Checklist
  /** Where the list begins among the ticks of its field. */
  from: number
}

/** One checklist; several may share a field. Each says for itself that something of it is missing. */
export function CheckField({ list, from }: CheckFieldProps) {
  const { i18n } = useLingui()
  const heading = i18n._(list.heading)
  const { value, onChange, error } = useBoundField<boolean[]>(heading)
  const ticks = value.slice(from, from + list.items.length)
  const missing = ticks.some((tick) => !tick)
  return (
    <CheckList
      heading={heading}
      items={list.items.map((item) => i18n._(item))}
      ticks={ticks}
      error={missing && error !== undefined ? messageText(i18n, 'checkAll', { field: heading }) : undefined}
      onTickAll={() =>
        onChange(value.map((tick, at) => tick || (at >= from && at < from + list.items.length)))
      }
      onTick={(index, on) => onChange(value.with(from + index, on))}
    />
  )
}
