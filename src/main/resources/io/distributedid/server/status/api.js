/** Asks the server. */

const TIMEOUT_MILLIS = 10_000;

/** What can be sent in a header field. */
const TOKEN = /^[\x21-\x7e]*$/;

/** Why there is no answer, in the server's own words if it gave any. */
export class Problem extends Error {
  /** @param status of HTTP; 0 if the server did not answer */
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }

  /** Whether another token may help. */
  get isRefusal() {
    return this.status === 401 || this.status === 403;
  }
}

export class Api {
  /** Kept nowhere else, so that it is gone when the page is. */
  #token = '';

  set token(token) {
    this.#token = token;
  }

  get hasToken() {
    return this.#token !== '';
  }

  status() {
    return this.#get('v1/status');
  }

  /** @param id a text, which is sent as it is */
  decoded(sequence, id) {
    return this.#get(`v1/sequences/${encodeURIComponent(sequence)}/ids/${encodeURIComponent(id)}`);
  }

  /** Paths are relative, so that a proxy may put the page below a path of its own. */
  async #get(path) {
    if (!TOKEN.test(this.#token)) {
      throw new Problem(401, 'A token has no spaces and no characters outside ASCII.');
    }
    let response;
    let text;
    try {
      response = await fetch(path, {
        headers: this.hasToken ? { Authorization: `Bearer ${this.#token}` } : {},
        cache: 'no-store',
        credentials: 'same-origin',
        redirect: 'error',
        referrerPolicy: 'no-referrer',
        signal: AbortSignal.timeout(TIMEOUT_MILLIS),
      });
      text = await response.text();
    } catch {
      throw new Problem(0, 'The server does not answer.');
    }
    const answer = parsed(text);
    if (!response.ok || answer === undefined) {
      throw new Problem(response.status, answer?.detail ?? `The answer has status ${response.status} and no reason.`);
    }
    return answer;
  }
}

/** Undefined if a proxy answered with something else. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
