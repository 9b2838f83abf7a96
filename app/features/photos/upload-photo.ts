import { formErrorsOf } from "#app/ui/action-error.tsx";

/** The result of an upload; `retryable` if another try may succeed, `existing` if the listing had this photo. */
type UploadResult =
  | { added: true; existing: boolean }
  | { refusal: string; retryable: boolean }
  | "session ended";

const uploadFailed = "This photo could not be uploaded. Check your connection and try again.";

/** Uploads a photo with `XMLHttpRequest`, because `fetch` reports no upload progress (0 to 1). */
export function uploadPhoto(
  to: string,
  body: Blob,
  onProgress: (progress: number) => void,
): Promise<UploadResult> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("POST", to);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      const [refusal] = formErrorsOf(request.response);
      if (request.response?.added) resolve({ added: true, existing: request.response.existing === true });
      else if (refusal) resolve({ refusal, retryable: request.status === 429 || request.status >= 500 });
      else if (new URL(request.responseURL).pathname === "/login") resolve("session ended");
      else resolve({ refusal: uploadFailed, retryable: true });
    };
    request.onerror = () => resolve({ refusal: uploadFailed, retryable: true });
    request.send(body);
  });
}
