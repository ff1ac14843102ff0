#pragma once
#include <curl/curl.h>

// curl's setters and getters are variadic in C, which Swift can't call. So there is one function for each kind of
// value.
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
// The target of a redirect as a whole URL; null without a redirect.
static inline const char *curl_redirect(CURL *handle) {
    char *url = NULL;
    curl_easy_getinfo(handle, CURLINFO_REDIRECT_URL, &url);
    return url;
}

// Called when a connection is ready, TLS included, before the request is written. Any result but 0 closes the
// connection.
typedef int (*curl_departure)(void *context, char *peer, char *own, int peer_port, int own_port);

static inline CURLcode curl_set_departure(CURL *handle, curl_departure value) {
    return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, value);
}

typedef int (*curl_observer)(CURL *handle, curl_infotype kind, char *bytes, size_t count, void *context);

static inline CURLcode curl_set_observer(CURL *handle, curl_observer value) {
    return curl_easy_setopt(handle, CURLOPT_DEBUGFUNCTION, value);
}
// How many connections a transfer had to open.
static inline long curl_connections_made(CURL *handle) {
    long count = 0;
    curl_easy_getinfo(handle, CURLINFO_NUM_CONNECTS, &count);
    return count;
}

// Called with each socket before it connects.
typedef int (*curl_socket_observer)(void *context, curl_socket_t socket, curlsocktype purpose);

static inline CURLcode curl_set_socket_observer(CURL *handle, curl_socket_observer value) {
    return curl_easy_setopt(handle, CURLOPT_SOCKOPTFUNCTION, value);
}

// Opens the socket for an address, or returns CURL_SOCKET_BAD to refuse the address.
typedef curl_socket_t (*curl_socket_opener)(void *context, curlsocktype purpose, struct curl_sockaddr *address);

// Swift may take `sockaddr` from this module or from Glibc's, whichever it loads first, and then sees the members only
// there.
static inline const void *curl_address(const struct curl_sockaddr *address) { return &address->addr; }

static inline curl_socket_t curl_open_socket(const struct curl_sockaddr *address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static inline CURLcode curl_set_socket_opener(CURL *handle, curl_socket_opener value) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, value);
}
