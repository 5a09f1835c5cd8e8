/** A driver whose connection was lost: the same as before, or another one under the same address. */
export interface Acquaintance {
  /** Before a call that changes something. Throws while it is not ready; another driver ends the process. */
  confirm(): Promise<void>;
  /** A call was lost: whoever answers the next one may be another one. */
  doubt(): void;
  /** The connection was lost: as soon as somebody answers it is asked, though nobody has anything else to ask. */
  lost(): void;
}

const askAgainMilliseconds = 1000;

/** `ask` throws unless whoever answers is the one we know. */
export function acquaintanceBy(ask: () => Promise<void>): Acquaintance {
  let asking: Promise<void> | undefined;
  let isInDoubt = false;
  let again: NodeJS.Timeout | undefined;

  async function confirm(): Promise<void> {
    if (!isInDoubt) return;
    asking ??= ask().finally(() => void (asking = undefined));
    await asking;
    isInDoubt = false;
  }

  /** While everything waits for the driver nobody calls it, and so nobody else would find out that it is back. */
  function askUntilItAnswers(): void {
    clearTimeout(again);
    confirm().catch(() => void (again = setTimeout(askUntilItAnswers, askAgainMilliseconds).unref()));
  }

  return {
    confirm,
    doubt: () => void (isInDoubt = true),
    lost() {
      isInDoubt = true;
      askUntilItAnswers();
    },
  };
}
