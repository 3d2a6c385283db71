import { isBlank } from '#schemas/text.ts'

/**
 * A rule on one field that depends on others: required only while `needed` says so. It belongs on the field; the
 * schema cannot say it of a single path.
 *
 *     <form.AppField
 *       name="reason1"
 *       validators={requiredIf<Values>(['type'], ({ type }) => type === QuickReportType.code.incomplete)}
 *     >
 *
 * @param others the fields `needed` looks at: when one changes, this field is judged anew
 */
export function requiredIf<
  Values,
  Others extends readonly (keyof Values & string)[] = readonly (keyof Values & string)[],
>(others: Others, needed: (values: Values) => boolean) {
  return {
    onChangeListenTo: [...others],
    onDynamic: ({
      value,
      fieldApi,
    }: {
      value: unknown
      fieldApi: { form: { state: { values: unknown } } }
    }) => (saysNothing(value) && needed(fieldApi.form.state.values as Values) ? 'ec00001' : undefined),
  }
}

/** As in the schemas (`requiredText`). */
const saysNothing = (value: unknown) =>
  value === null ||
  value === undefined ||
  (typeof value === 'string' && isBlank(value)) ||
  (Array.isArray(value) && value.length === 0)
