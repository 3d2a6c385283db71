/**
 * A browser builds its own control for times with the first one of a page: on a phone 4× slowed 60 ms, which the tap on
 * 入館登録 or 退館報告 would wait for. One is made and measured ahead; it is gone before anything is painted.
 *
 * @param idle waits until the screen needs nothing
 */
export async function warmTimeInput(idle: () => Promise<void>): Promise<void> {
  const input = document.createElement('input')
  await idle()
  input.type = 'time'
  await idle()
  input.ariaHidden = 'true'
  input.style.position = 'absolute'
  document.body.append(input)
  input.getBoundingClientRect()
  input.remove()
}
