#pragma once
#include <curl/curl.h>

// Setting and getting are variadic in C, which Swift can't call: one function for each kind of value.
typedef size_t (*curl_receiver)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode curl_set_number(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode curl_set_bytes(CURL *handle, CURLoption option, const void *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode curl_set_receiver(CURL *handle, CURLoption option, curl_receiver value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLMcode curl_multi_set_number(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}
static inline long curl_status(CURL *handle) {
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}
// Where a redirect leads, as a whole URL; null where there is none.
static inline const char *curl_redirect(CURL *handle) {
    char *url = NULL;
    curl_easy_getinfo(handle, CURLINFO_REDIRECT_URL, &url);
    return url;
}
